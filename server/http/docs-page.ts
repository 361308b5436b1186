import type { ErrorCode } from '../domain/errors.ts';
import { codesOf } from './openapi.ts';
import { PROBLEM_STATUS, PROBLEM_TITLES } from './problem-table.ts';
import { addressOf, type Route } from './route.ts';
import { ROUTES } from './routes/all-routes.ts';

export const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .4rem .6rem; text-align: left; vertical-align: top; }
code { font: 14px ui-monospace, monospace; overflow-wrap: anywhere; }
`;

/** A page of the routes and codes: no script, nothing from elsewhere. */
export function docsPage(version: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>DevLoop API</title><link rel="stylesheet" href="/docs.css"></head>
<body>
<h1>DevLoop API <small>${escapeHtml(version)}</small></h1>
<p>Every address takes <code>Authorization: Bearer TOKEN</code>. Schemas: <a href="/openapi.json">openapi.json</a>.</p>
<h2>Routes</h2>
<table><thead><tr><th>Route</th><th>What it does</th><th>Problems of its own</th></tr></thead><tbody>
${ROUTES.map(routeRow).join('\n')}
</tbody></table>
<h2>Problems</h2>
<table><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>
${[...new Set(ROUTES.flatMap(codesOf))].sort().map(codeRow).join('\n')}
</tbody></table>
</body>
</html>
`;
}

function routeRow(route: Route): string {
  const { method, path } = addressOf(route);
  return `<tr><td><code>${escapeHtml(`${method} ${path}`)}</code></td><td>${escapeHtml(route.summary)}</td><td>${route.codes.map((code) => `<code>${code}</code>`).join(' ')}</td></tr>`;
}

const codeRow = (code: ErrorCode): string =>
  `<tr><td><code>${code}</code></td><td>${PROBLEM_STATUS[code]}</td><td>${escapeHtml(PROBLEM_TITLES[code])}</td></tr>`;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
