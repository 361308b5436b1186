import assert from 'node:assert/strict';
import { addressOf } from '../../server/http/route.ts';
import { ROUTES } from '../../server/http/routes/all-routes.ts';

/** Asserts that a JSON answer of the API is exactly what its route's schema says: no member missing, none besides. */
export function checkResponse(method: string, address: string, status: number, body: unknown): void {
  const path = address.split('?', 1)[0] ?? '';
  const route = ROUTES.find((one) => addressOf(one).method === method && shapeOf(addressOf(one).path).test(path));
  if (route?.answer.kind !== 'json' || status >= 400) return;
  assert.equal(status, route.answer.status);
  assert.deepEqual(route.answer.schema.parse(body), body);
}

const shapeOf = (address: string): RegExp => new RegExp(`^${address.replace(/:\w+/g, '[^/]+')}$`);
