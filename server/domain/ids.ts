import { DevLoopError } from './errors.ts';

declare const brand: unique symbol;
type Brand<Name extends string> = string & { readonly [brand]: Name };

export type CompanyId = Brand<'CompanyId'>;
export type ProjectId = Brand<'ProjectId'>;
export type UnitId = Brand<'UnitId'>;
/** One run of a unit's tests or of the integration cases. */
export type RunId = Brand<'RunId'>;
/** One agent call; also the idempotency key of the commit that follows it. */
export type CallId = Brand<'CallId'>;
/** 40 lower-case hex digits: a full object id. */
export type Oid = Brand<'Oid'>;
export type RescueId = Brand<'RescueId'>;

const ID = /^[a-z0-9][a-z0-9-]{0,62}$/;
const OID = /^[0-9a-f]{40}$/;

export const ZERO_OID = '0'.repeat(40) as Oid;

const parser =
  <Id extends string>(what: string, shape: RegExp) =>
  (text: unknown): Id => {
    if (typeof text === 'string' && shape.test(text)) return text as Id;
    throw new DevLoopError('validation_failed', `${what} ${JSON.stringify(text)} is not valid`, {
      data: { what },
      hint: `It must match ${shape.source}.`,
    });
  };

export const parseCompanyId = parser<CompanyId>('company id', ID);
export const parseProjectId = parser<ProjectId>('project id', ID);
export const parseUnitId = parser<UnitId>('unit id', ID);
export const parseRunId = parser<RunId>('run id', ID);
export const parseCallId = parser<CallId>('call id', ID);
export const parseRescueId = parser<RescueId>('rescue id', /^[0-9a-z][0-9a-z_-]{0,99}$/i);
export const parseOid = parser<Oid>('object id', OID);
