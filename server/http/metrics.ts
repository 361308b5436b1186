import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly observe: RequestHandler;
  readonly contentType: string;
  text(): Promise<string>;
}

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Durations of requests by route and status, open event streams, and figures of the process. */
export function createMetrics(openStreams: () => number): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'devloop_http_request_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  new Gauge({
    name: 'devloop_event_streams_open',
    help: 'Event streams that are open',
    registers: [registry],
    collect() {
      this.set(openStreams());
    },
  });
  return {
    observe(_request, response, next) {
      const start = performance.now();
      response.once('close', () => {
        const route = String(response.locals.route ?? 'other');
        requests.observe({ route, status: response.statusCode }, (performance.now() - start) / 1000);
      });
      next();
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}
