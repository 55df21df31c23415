import { StatusError } from '@kubechain/apimachinery';
import { mediaTypeNames, streamMediaTypeNames } from './media-types.ts';
import type { MediaType } from './media-types.ts';

/** 406 with the formats that are offered. */
export function notAcceptable(types: readonly MediaType[]): StatusError {
  return new StatusError({
    status: 'Failure',
    code: 406,
    reason: 'NotAcceptable',
    message: `only the following media types are accepted: ${mediaTypeNames(types)}`,
  });
}

/** 406 for a watch: the streaming forms are listed. */
export function streamNotAcceptable(types: readonly MediaType[]): StatusError {
  return new StatusError({
    status: 'Failure',
    code: 406,
    reason: 'NotAcceptable',
    message: `only the following media types are accepted: ${streamMediaTypeNames(types)}`,
  });
}

/** 406 with a text of its own, for representations that an object does not have. */
export function representationNotAcceptable(message: string): StatusError {
  return new StatusError({ status: 'Failure', code: 406, reason: 'NotAcceptable', message });
}

/** 415 for a body in an unknown format; `accepted` are the names that would do. */
export function unsupportedMediaType(accepted: string): StatusError {
  return new StatusError({
    status: 'Failure',
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
  });
}
