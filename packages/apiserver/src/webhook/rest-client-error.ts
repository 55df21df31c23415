import { StatusError, goQuote } from '@kubechain/apimachinery';
import type { Status, StatusReason } from '@kubechain/apimachinery';

/** What Go's REST client makes of an answer that is no success: the Status in it, else one of the code (client-go rest/request.go). */
export function restClientError(code: number, body: Buffer): StatusError {
  const text = body.toString('utf8');
  try {
    const parsed = JSON.parse(text) as Status & { readonly kind?: string };
    if (parsed.kind === 'Status' && typeof parsed.message === 'string' && parsed.message !== '') {
      const { details, message, reason } = parsed;
      return new StatusError({ status: 'Failure', code: parsed.code ?? code, message, ...(reason === undefined ? {} : { reason: reason as StatusReason }), ...(details === undefined ? {} : { details }) });
    }
  } catch {
    // Not JSON: the code has to do.
  }
  return new StatusError({ status: 'Failure', code, message: messageOf(code, text) });
}

function messageOf(code: number, text: string): string {
  switch (code) {
    case 404: return 'the server could not find the requested resource';
    case 403: return text.trim();
    case 401: return 'the server has asked for the client to provide credentials';
    case 503: return 'the server is currently unable to handle the request';
    case 504: return 'the server was unable to return a response in the time allotted, but may still be processing the request';
    default: return code >= 500 ? `an error on the server (${goQuote(text.slice(0, 2048))}) has prevented the request from succeeding` : 'the server rejected our request for an unknown reason';
  }
}
