import { messageOf } from './message-of.ts';
import { formatGroupResource } from '../object/group-resource.ts';
import type { GroupKind, GroupResource } from '../object/object.ts';
import type { FieldError } from './field-error.ts';
import { aggregateMessage, toCauses } from './field-error.ts';
import { goQuote } from './go-format.ts';
import type { StatusCause, StatusDetails } from './status.ts';
import { StatusError } from './status.ts';

function kindText(kind: GroupKind): string {
  return kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
}

/** Details in the order of Go's struct, without empty fields. */
function details(fields: StatusDetails): StatusDetails {
  const out: StatusDetails = {};
  if (fields.name !== undefined && fields.name !== '') out.name = fields.name;
  if (fields.group !== undefined && fields.group !== '') out.group = fields.group;
  if (fields.kind !== undefined && fields.kind !== '') out.kind = fields.kind;
  if (fields.uid !== undefined && fields.uid !== '') out.uid = fields.uid;
  if (fields.causes !== undefined && fields.causes.length > 0) out.causes = fields.causes;
  if (fields.retryAfterSeconds !== undefined && fields.retryAfterSeconds !== 0)
    out.retryAfterSeconds = fields.retryAfterSeconds;
  return out;
}

function about(resource: GroupResource, name: string, retryAfterSeconds = 0): StatusDetails {
  return details({ name, group: resource.group, kind: resource.resource, retryAfterSeconds });
}

/** 404: no object of that name. */
export function notFound(resource: GroupResource, name: string): StatusError {
  return new StatusError({
    status: 'Failure',
    message: `${formatGroupResource(resource)} ${goQuote(name)} not found`,
    reason: 'NotFound',
    details: about(resource, name),
    code: 404,
  });
}

/** 409: the name is taken. */
export function alreadyExists(resource: GroupResource, name: string): StatusError {
  return new StatusError({
    status: 'Failure',
    message: `${formatGroupResource(resource)} ${goQuote(name)} already exists`,
    reason: 'AlreadyExists',
    details: about(resource, name),
    code: 409,
  });
}

/** 409: every generated name was taken; the client may try again. */
export function generateNameConflict(resource: GroupResource, name: string, retryAfterSeconds: number): StatusError {
  return new StatusError({
    status: 'Failure',
    reason: 'AlreadyExists',
    code: 409,
    details: about(resource, name, retryAfterSeconds),
    message:
      `${formatGroupResource(resource)} ${goQuote(name)} already exists, the server was not able to generate a ` +
      'unique name for the object',
  });
}

/** 401. */
export function unauthorized(message = ''): StatusError {
  return new StatusError({
    status: 'Failure',
    message: message === '' ? 'not authorized' : message,
    reason: 'Unauthorized',
    code: 401,
  });
}

/** 403; `reason` says why, after the colon. An empty resource and name are left out of the text. */
export function forbidden(resource: GroupResource, name: string, reason: string): StatusError {
  const text = formatGroupResource(resource);
  const message =
    resource.group === '' && resource.resource === ''
      ? `forbidden: ${reason}`
      : name === ''
        ? `${text} is forbidden: ${reason}`
        : `${text} ${goQuote(name)} is forbidden: ${reason}`;
  return new StatusError({
    status: 'Failure',
    message,
    reason: 'Forbidden',
    details: about(resource, name),
    code: 403,
  });
}

/** 409: the object is not in the state that the request assumes. */
export function conflict(resource: GroupResource, name: string, reason: string): StatusError {
  return new StatusError({
    status: 'Failure',
    reason: 'Conflict',
    code: 409,
    details: about(resource, name),
    message: `Operation cannot be fulfilled on ${formatGroupResource(resource)} ${goQuote(name)}: ${reason}`,
  });
}

/** 409: other managers own fields that an apply wants to change. */
export function applyConflict(causes: StatusCause[], message: string): StatusError {
  return new StatusError({ status: 'Failure', message, reason: 'Conflict', details: details({ causes }), code: 409 });
}

/** 410 without a hint where to go on; for old resource versions use {@link resourceExpired}. */
export function gone(message: string): StatusError {
  return new StatusError({ status: 'Failure', message, reason: 'Gone', code: 410 });
}

/** 410: the resource version is older than what is kept. */
export function resourceExpired(message: string): StatusError {
  return new StatusError({ status: 'Failure', message, reason: 'Expired', code: 410 });
}

/** 422 with one cause per field error. */
export function invalid(kind: GroupKind, name: string, errors: readonly FieldError[]): StatusError {
  const head = `${kindText(kind)} ${goQuote(name)} is invalid`;
  return new StatusError({
    status: 'Failure',
    message: errors.length === 0 ? head : `${head}: ${aggregateMessage(errors)}`,
    reason: 'Invalid',
    code: 422,
    details: details({ name, group: kind.group, kind: kind.kind, causes: toCauses(errors) }),
  });
}

/** 500 without a reason: what the server answers to an error that no layer has given a status. */
export function unclassifiedError(message: string, options?: ErrorOptions): StatusError {
  return new StatusError({ status: 'Failure', code: 500, message }, options);
}

/** 400. */
export function badRequest(message: string): StatusError {
  return new StatusError({ status: 'Failure', message, reason: 'BadRequest', code: 400 });
}

/** 429: the endpoint does not take requests now. */
export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError({
    status: 'Failure',
    message,
    reason: 'TooManyRequests',
    details: details({ retryAfterSeconds }),
    code: 429,
  });
}

/** 429 as the request limits answer it. */
export function tooManyRequestsError(message: string): StatusError {
  return new StatusError({
    status: 'Failure',
    message: `Too many requests: ${message}`,
    reason: 'TooManyRequests',
    code: 429,
  });
}

/** 503. */
export function serviceUnavailable(message: string): StatusError {
  return new StatusError({ status: 'Failure', message, reason: 'ServiceUnavailable', code: 503 });
}

/** 405. */
export function methodNotSupported(resource: GroupResource, action: string): StatusError {
  return new StatusError({
    status: 'Failure',
    message: `${action} is not supported on resources of kind ${goQuote(formatGroupResource(resource))}`,
    reason: 'MethodNotAllowed',
    details: details({ group: resource.group, kind: resource.resource }),
    code: 405,
  });
}

/** 500 that asks the client to try again; `operation` is the verb. */
export function serverTimeout(resource: GroupResource, operation: string, retryAfterSeconds: number): StatusError {
  return new StatusError({
    status: 'Failure',
    reason: 'ServerTimeout',
    code: 500,
    details: about(resource, operation, retryAfterSeconds),
    message:
      `The ${operation} operation against ${formatGroupResource(resource)} could not be completed at this time, ` +
      'please try again.',
  });
}

/** 500 around any error; the original is kept as `cause`. */
export function internalError(error: unknown): StatusError {
  const text = messageOf(error);
  return new StatusError(
    {
      status: 'Failure',
      message: `Internal error occurred: ${text}`,
      reason: 'InternalError',
      details: details({ causes: [{ message: text }] }),
      code: 500,
    },
    { cause: error },
  );
}

/** 504: not done in time; it may still happen. */
export function timeoutError(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError({
    status: 'Failure',
    message: `Timeout: ${message}`,
    reason: 'Timeout',
    details: details({ retryAfterSeconds }),
    code: 504,
  });
}

/** 504: the resource version is one that the server has not seen yet. */
export function tooLargeResourceVersion(
  requested: bigint | number,
  current: bigint | number,
  retryAfterSeconds: number,
): StatusError {
  return new StatusError({
    status: 'Failure',
    message: `Timeout: Too large resource version: ${requested}, current: ${current}`,
    reason: 'Timeout',
    code: 504,
    details: details({
      retryAfterSeconds,
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    }),
  });
}

/** 413. */
export function requestEntityTooLarge(message: string): StatusError {
  return new StatusError({
    status: 'Failure',
    message: `Request entity too large: ${message}`,
    reason: 'RequestEntityTooLarge',
    code: 413,
  });
}

/** 406 naming what the server can write. */
export function notAcceptable(accepted: readonly string[]): StatusError {
  return new StatusError({
    status: 'Failure',
    message: `only the following media types are accepted: ${accepted.join(', ')}`,
    reason: 'NotAcceptable',
    code: 406,
  });
}

/** 415 naming what the server can read. */
export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  return new StatusError({
    status: 'Failure',
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  });
}

/** What {@link genericServerResponse} can say besides the code. */
export interface GenericServerResponseOptions {
  /** Left out of the text when absent. */
  readonly resource?: GroupResource;
  readonly name?: string;
  /** The message of the other server; kept where it says more than the code. */
  readonly serverMessage?: string;
  readonly retryAfterSeconds?: number;
  /** Adds the server's message as an UnexpectedServerResponse cause. */
  readonly unexpectedResponse?: boolean;
}

const generic = new Map<number, readonly [reason: StatusError['reason'], message: string]>([
  [400, ['BadRequest', 'the server rejected our request for an unknown reason']],
  [401, ['Unauthorized', 'the server has asked for the client to provide credentials']],
  [404, ['NotFound', 'the server could not find the requested resource']],
  [405, ['MethodNotAllowed', 'the server does not allow this method on the requested resource']],
  [422, ['Invalid', 'the server rejected our request due to an error in our request']],
  [429, ['TooManyRequests', 'the server has received too many requests and has asked us to try again later']],
  [503, ['ServiceUnavailable', 'the server is currently unable to handle the request']],
  [
    504,
    [
      'Timeout',
      'the server was unable to return a response in the time allotted, but may still be processing the request',
    ],
  ],
]);

/** A Status for an HTTP code alone, where nothing else is known (upstream NewGenericServerResponse). */
export function genericServerResponse(
  code: number,
  verb: string,
  options: GenericServerResponseOptions = {},
): StatusError {
  const { resource = { group: '', resource: '' }, name = '', serverMessage = '' } = options;
  let [reason, message] = generic.get(code) ?? [
    '',
    `the server responded with the status code ${code} but did not return more information`,
  ];
  if (code === 409)
    [reason, message] = [verb === 'POST' ? 'AlreadyExists' : 'Conflict', 'the server reported a conflict'];
  else if (code === 403) [reason, message] = ['Forbidden', serverMessage];
  else if (code === 415) [reason, message] = ['UnsupportedMediaType', serverMessage];
  else if (code === 406) {
    reason = 'NotAcceptable';
    message =
      serverMessage === '' || serverMessage === 'unknown'
        ? 'the server was unable to respond with a content type that the client supports'
        : serverMessage;
  } else if (code >= 500 && !generic.has(code)) {
    [reason, message] = [
      'InternalError',
      `an error on the server (${goQuote(serverMessage)}) has prevented the request from succeeding`,
    ];
  }
  if (resource.group !== '' || resource.resource !== '') {
    message +=
      name === ''
        ? ` (${verb.toLowerCase()} ${formatGroupResource(resource)})`
        : ` (${verb.toLowerCase()} ${formatGroupResource(resource)} ${name})`;
  }
  return new StatusError({
    status: 'Failure',
    message,
    reason: reason as never,
    code,
    details: details({
      name,
      group: resource.group,
      kind: resource.resource,
      retryAfterSeconds: options.retryAfterSeconds ?? 0,
      causes:
        options.unexpectedResponse === true ? [{ reason: 'UnexpectedServerResponse', message: serverMessage }] : [],
    }),
  });
}
