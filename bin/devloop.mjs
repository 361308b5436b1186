#!/usr/bin/env node
// Plain JavaScript that any Node reads: says which Node is needed before anything else is loaded.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `devloop needs Node 22.18 or newer; this is ${process.versions.node}. Install Node 24, or run it with: npx -p node@24 -p devloop devloop\n`,
  );
  process.exit(1);
}
await import('../dist/cli/main.js');
