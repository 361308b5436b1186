// The import table of docs/architecture.md. Lower never imports higher; from outside only a folder's entry file.
const FOLDERS =
  'domain io git config sandbox tree vault workspace agents verdicts events compare loop http demo cli web'.split(' ');
const CORE = { dependencyTypes: ['core'] };
const allowed = {
  domain: ['domain'],
  io: ['io'],
  git: ['git', 'io', 'domain'],
  config: ['config', 'domain'],
  sandbox: ['sandbox', 'io', 'domain'],
  tree: ['tree', 'git', 'io', 'domain'],
  vault: ['vault', 'tree', 'git', 'io', 'domain'],
  workspace: ['workspace', 'tree', 'git', 'io', 'domain'],
  agents: ['agents', 'sandbox', 'io', 'domain'],
  verdicts: ['verdicts', 'sandbox', 'io', 'domain'],
  events: ['events', 'io', 'domain'],
  compare: ['compare', 'io', 'domain'],
  loop: ['loop', 'domain'],
  http: ['http', 'domain', 'loop'],
  demo: ['demo', 'workspace', 'git', 'io', 'domain'],
  cli: ['cli', 'demo', 'config', 'domain'],
  web: ['web'],
};
const typesOnly = { http: ['vault', 'workspace', 'events', 'compare'], cli: ['http'], web: ['http'] };
const libraries = {
  'simple-git': '^server/git/run\\.ts$',
  express: '^server/http/',
  'async-mutex': '^server/io/',
  ndjson: '^server/io/',
  saxes: '^server/(verdicts|compare/reader|workspace/objects)/',
  aws4fetch: '^server/workspace/objects/',
  'age-encryption': '^server/workspace/histories/',
  'pdfjs-dist': '^server/compare/reader/',
  '@napi-rs/canvas': '^server/compare/reader/',
  pixelmatch: '^server/compare/reader/',
  '@vscode/tree-sitter-wasm': '^server/sandbox/',
  '@agentclientprotocol/sdk': '^server/agents/',
  'prom-client': '^server/http/',
  commander: '^server/cli/',
  preact: '^server/web/',
};

module.exports = {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...Object.entries(allowed).map(([folder, may]) => ({
      name: `rank-${folder}`,
      severity: 'error',
      from: { path: `^server/${folder}/` },
      to: {
        path: '^server/',
        pathNot: [
          ...may.map((name) => `^server/${name}/`),
          ...(folder === 'cli' ? ['^server/app(-workspaces|-team)?\\.ts$'] : []),
        ],
        ...(typesOnly[folder] ? { dependencyTypesNot: ['type-only'] } : {}),
      },
    })),
    ...Object.entries(typesOnly).map(([folder, types]) => ({
      name: `${folder}-types-only`,
      severity: 'error',
      from: { path: `^server/${folder}/` },
      to: { path: `^server/(${FOLDERS.filter((f) => ![...allowed[folder], ...types].includes(f)).join('|')})/` },
    })),
    ...FOLDERS.filter((folder) => !['domain', 'io', 'web', 'git'].includes(folder)).map((folder) => ({
      name: `entry-${folder}`,
      severity: 'error',
      // The page has the types of the schemas, and nothing else of http.
      from: { path: '^server/', pathNot: `^server/(${folder}${folder === 'http' ? '|web' : ''})/` },
      to: { path: `^server/${folder}/`, pathNot: `^server/${folder}/index\\.ts$` },
    })),
    {
      name: 'web-schemas-only',
      severity: 'error',
      from: { path: '^server/web/' },
      to: { path: '^server/http/', pathNot: '^server/http/schemas/' },
    },
    {
      // The page's types are theirs: what they import, it is checked with.
      name: 'schemas-apart',
      severity: 'error',
      from: { path: '^server/http/schemas/' },
      to: { path: '^server/', pathNot: '^server/(http/schemas|domain|loop)/' },
    },
    { name: 'web-no-node', severity: 'error', from: { path: '^server/web/' }, to: CORE },
    {
      name: 'web-libraries',
      severity: 'error',
      from: { path: '^server/web/' },
      to: {
        path: 'node_modules/',
        pathNot: 'node_modules/(preact|eventsource-parser)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'documents-are-read-apart',
      comment: 'What parses untrusted documents is never loaded by the server: it is a program of its own.',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/compare/reader/' },
      to: { path: '^server/compare/reader/', dependencyTypesNot: ['type-only'] },
    },
    { name: 'domain-pure', severity: 'error', from: { path: '^server/domain/' }, to: CORE },
    {
      name: 'domain-only-zod',
      severity: 'error',
      from: { path: '^server/domain/' },
      to: { path: 'node_modules', pathNot: 'node_modules/zod/' },
    },
    { name: 'loop-no-node', severity: 'error', from: { path: '^server/loop/' }, to: CORE },
    { name: 'loop-only-domain', severity: 'error', from: { path: '^server/loop/' }, to: { path: 'node_modules' } },
    ...Object.entries(libraries).map(([name, where]) => ({
      name: `only-place-for-${name}`,
      severity: 'error',
      from: { path: '^server/', pathNot: where },
      to: { path: `node_modules/${name}/` },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
