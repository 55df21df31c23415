import { StatusError, goQuote, parseJSON } from '@kubechain/apimachinery';
import type { Status, StatusReason } from '@kubechain/apimachinery';

/** Upstream shows no more of an answer that it cannot read. */
const maxTextBytes = 2048;

/** An answer as far as errors speak of it. */
export interface RestAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

/**
 * What Go's REST client makes of an answer that is no success: the failed Status in it, else one of the code (client-go
 * rest/request.go, 1.36).
 */
export function restClientError({ body, contentType, status: code }: RestAnswer): StatusError {
  try {
    const parsed = parseJSON(body.toString('utf8')) as Status & {
      readonly kind?: string;
      readonly apiVersion?: string;
    };
    if (parsed.kind === 'Status' && (parsed.apiVersion ?? 'v1') === 'v1' && parsed.status === 'Failure') {
      const { details, message = '', reason } = parsed;
      return new StatusError({
        status: 'Failure',
        code: parsed.code ?? code,
        message,
        ...(reason === undefined ? {} : { reason: reason as StatusReason }),
        ...(details === undefined ? {} : { details }),
      });
    }
  } catch {
    // Not JSON: the code has to do.
  }
  const isText = contentType === undefined || contentType.trimStart().toLowerCase().startsWith('text/');
  return new StatusError({
    status: 'Failure',
    code,
    message: textOfStatus(code, isText ? body.subarray(0, maxTextBytes).toString('utf8').trim() : 'unknown'),
  });
}

function textOfStatus(code: number, text: string): string {
  switch (code) {
    case 400:
      return 'the server rejected our request for an unknown reason';
    case 401:
      return 'the server has asked for the client to provide credentials';
    case 403:
    case 415:
      return text;
    case 404:
      return 'the server could not find the requested resource';
    case 405:
      return 'the server does not allow this method on the requested resource';
    case 406:
      return text === '' || text === 'unknown'
        ? 'the server was unable to respond with a content type that the client supports'
        : text;
    case 409:
      return 'the server reported a conflict';
    case 422:
      return 'the server rejected our request due to an error in our request';
    case 429:
      return 'the server has received too many requests and has asked us to try again later';
    case 503:
      return 'the server is currently unable to handle the request';
    case 504:
      return 'the server was unable to return a response in the time allotted, but may still be processing the request';
    default:
      return code >= 500
        ? `an error on the server (${goQuote(text)}) has prevented the request from succeeding`
        : `the server responded with the status code ${code} but did not return more information`;
  }
}
