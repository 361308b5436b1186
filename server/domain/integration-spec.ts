import { z } from 'zod';

const id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/);
const argv = z.array(z.string().min(1).max(4096)).min(1).max(64);
const path = z.string().startsWith('/').max(2000);

/** A service that the cases talk to. Its port comes in the environment variable PORT, chosen by the server; `{NAME}_URL` (id in upper case, `-` as `_`) of each service is given to all. It is started in units/{unit}/code, which it must not write: its files belong into TMPDIR. */
export const serviceSchema = z.strictObject({
  id,
  unit: id,
  start_command: argv,
  ready: z.strictObject({
    path,
    status: z.int().default(200),
    timeout_ms: z.int().min(100).max(120_000).default(10_000),
  }),
});

/** `json` maps a path like `items.0.title` to the expected value; `capture` names a path whose value `{{name}}` stands for in later steps. */
export const httpStepSchema = z.strictObject({
  service: id,
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']),
  path,
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
  expect: z.strictObject({
    status: z.int().min(100).max(599).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    json: z.record(z.string(), z.unknown()).optional(),
    body_contains: z.string().optional(),
  }),
  capture: z.record(z.string(), z.string()).optional(),
});

export const caseSchema = z.union([
  z.strictObject({ id, title: z.string().max(200), steps: z.array(httpStepSchema).min(1).max(100) }),
  z.strictObject({ id, title: z.string().max(200), command: argv }),
]);

/** integration/spec.json */
export const integrationSpecSchema = z.strictObject({
  services: z.array(serviceSchema).max(20),
  cases: z.array(caseSchema).min(1).max(500),
});
export type IntegrationSpec = z.infer<typeof integrationSpecSchema>;
export type ServiceSpec = z.infer<typeof serviceSchema>;
export type HttpStep = z.infer<typeof httpStepSchema>;
export type IntegrationCase = z.infer<typeof caseSchema>;
