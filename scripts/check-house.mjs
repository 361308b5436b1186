// Checks what the other tools do not: sizes of files and functions' neighbours in house style, purity of domain/, who reads the environment and who exits.
import { globSync, readFileSync } from 'node:fs';

// Eight value imports are the aim; a file that joins parts may have two more, and is named.
const LIMITS = { lines: 250, aim: 8, imports: 10 };
const rules = [
  {
    name: 'domain/ is pure',
    where: /^server\/domain\//,
    no: /\bDate\.now\(|\bnew Date\(\)|Math\.random\(|\bprocess\.|\bawait\b|\brequire\(/,
  },
  {
    name: 'loop/ takes time and chance through its ports',
    where: /^server\/loop\//,
    no: /\bDate\.now\(|\bnew Date\(\)|Math\.random\(|\bprocess\./,
  },
  {
    name: 'only config/ reads the environment',
    where: /^server\/(?!config\/|main\.ts|cli\/main\.ts)/,
    no: /\bprocess\.env\b/,
  },
  { name: 'only main files exit the process', where: /^server\/(?!main\.ts|.*\/main\.ts)/, no: /\bprocess\.exit\(/ },
  {
    name: 'no switched-off checks',
    where: /./,
    no: /@ts-ignore|@ts-nocheck|\bas any\b|: any[;,)=\s]|biome-ignore(?!.*: )/,
  },
];
const faults = [];
for (const file of globSync('server/**/*.{ts,tsx,css}').sort()) {
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n').length - 1;
  if (lines > LIMITS.lines) faults.push(`${file}: ${lines} lines, at most ${LIMITS.lines}`);
  const imports = text.match(/^import (?!type )(?!\{ type [^,}]+ \})/gm)?.length ?? 0;
  const joins = /^server\/(app|cli\/main)\.ts$/.test(file);
  if (imports > LIMITS.imports && !joins) faults.push(`${file}: ${imports} value imports, at most ${LIMITS.imports}`);
  else if (imports > LIMITS.aim && !joins) process.stderr.write(`note: ${file}: ${imports} value imports\n`);
  if (/^export default/m.test(text)) faults.push(`${file}: named exports only`);
  for (const { name, where, no } of rules) {
    if (!where.test(file)) continue;
    text.split('\n').forEach((line, i) => {
      const code = line.replace(/\/\/.*$|^\s*\/?\*.*$|'[^']*'/g, '');
      if (no.test(code)) faults.push(`${file}:${i + 1}: ${name}: ${line.trim()}`);
    });
  }
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exit(faults.length > 0 ? 1 : 0);
