import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceSpec } from '../domain/integration-spec.ts';
import type { ProcessRequest } from '../io/process-request.ts';
import { startProcess } from '../io/run-process.ts';
import type { ConfinedRun } from './confined-run.ts';
import { describeEnd } from './describe-end.ts';
import { freePorts } from './free-ports.ts';
import { exchange } from './http-exchange.ts';
import type { StepTarget } from './run-case.ts';
import { stableText } from './stable-text.ts';

export interface Services {
  readonly targets: ReadonlyMap<string, StepTarget>;
  /** Variables that tell every program of the run where the services are. */
  readonly env: Readonly<Record<string, string>>;
  /** Why one did not come up; undefined where all answer. */
  ready(): Promise<string | undefined>;
  /** Ends them all, with everything that they started. */
  end(): Promise<void>;
}

interface ServicesSetting {
  readonly run: ConfinedRun;
  readonly output_bytes: number;
  readonly signal: AbortSignal;
  readonly onOutput: (service: string, chunk: Uint8Array) => void;
}

interface Service extends StepTarget {
  readonly spec: ServiceSpec;
  /** How it ended, where it is known by now. */
  knownEnd(): string | undefined;
  end(): void;
  /** Resolves when nothing of it is left. */
  readonly gone: Promise<void>;
}

/** Starts every service in `units/{unit}/code`, each with a free port of the loopback in PORT. */
export async function startServices(specs: readonly ServiceSpec[], setting: ServicesSetting): Promise<Services> {
  const ports = await freePorts(specs.length);
  const origins = specs.map((spec, at) => ({ spec, port: ports[at] ?? 0, origin: `http://127.0.0.1:${ports[at]}` }));
  const env = Object.fromEntries(origins.map(({ spec, origin }) => [urlVariable(spec.id), origin]));
  // What cannot be bounded is known before the first one runs.
  const prepared = origins.map(({ spec, port, origin }) => {
    const variables = { ...env, PORT: String(port), HOST: '127.0.0.1' };
    const cwd = join(setting.run.root, 'units', spec.unit, 'code');
    const request = setting.run.request({ argv: spec.start_command, cwd, network: 'host', env: variables });
    return { spec, origin, cwd, request };
  });
  const services = prepared.map((one) => startService(one, setting));
  return {
    env,
    targets: new Map(services.map((service) => [service.spec.id, service])),
    ready: async () => {
      const faults = await Promise.all(services.map((service) => whyNotReady(service, setting.signal)));
      return faults.find((fault) => fault !== undefined);
    },
    end: async () => {
      for (const service of services) service.end();
      await Promise.all(services.map((service) => service.gone));
    },
  };
}

const urlVariable = (id: string): string => `${id.toUpperCase().replaceAll('-', '_')}_URL`;

interface Prepared {
  readonly spec: ServiceSpec;
  readonly origin: string;
  readonly cwd: string;
  readonly request: ProcessRequest;
}

function startService(
  { spec, origin, cwd, request }: Prepared,
  { run, output_bytes, onOutput }: ServicesSetting,
): Service {
  const process = startProcess({
    ...request,
    limits: { output_bytes },
    onOutput: (chunk) => onOutput(spec.id, chunk),
  });
  let end: string | undefined;
  const places = { bases: [cwd, run.root], temporary: [run.folder] };
  const gone = process.done.then((result) => {
    end = stableText(`service ${spec.id} ${describeEnd(result)}`, places);
  });
  return {
    spec,
    origin,
    unit: spec.unit,
    knownEnd: () => end,
    ended: async () => {
      await Promise.race([gone, delay(MOMENT_MS)]);
      return end;
    },
    end: () => process.end(),
    gone,
  };
}

/** Between a connection that breaks and the end of the service that it broke with. */
const MOMENT_MS = 500;
/** How long one look at a service may take. */
const LOOK_MS = 2_000;

async function whyNotReady({ spec, origin, knownEnd }: Service, signal: AbortSignal): Promise<string | undefined> {
  const { path, status, timeout_ms } = spec.ready;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)]);
  let last = 'no answer in time';
  for (let wait = 10; !limit.aborted; wait = Math.min(wait * 1.5, 200)) {
    const request = { method: 'GET', origin, path, headers: {} };
    const answer = await exchange(request, AbortSignal.any([limit, AbortSignal.timeout(LOOK_MS)]));
    if (knownEnd() !== undefined) return `${knownEnd()}, before it was ready`;
    if (answer.kind === 'answered' && answer.status === status) return undefined;
    if (!limit.aborted) last = answer.kind === 'answered' ? `it answers ${answer.status}` : answer.why;
    await delay(wait);
  }
  return `service ${spec.id} did not answer GET ${path} with ${status} within ${timeout_ms} ms: ${last}`;
}
