import { StatusError, badRequest, goQuote, type StatusReason } from '@kubechain/apimachinery';
import type { CallFailure } from '../../webhook/call-failure.ts';
import type { AdmissionResponse } from './admission-review.ts';

/** Why a call failed. The kinds are values of the metric's label `reason` (docs/debugging.md). */
export type FailedCallReason =
  | CallFailure
  /** The request that it was asked for is over: its client has left, or its time is up. */
  | 'request_over'
  /** Its answer is no review, or nothing that can be applied. */
  | 'invalid_answer'
  /** It takes no version of reviews that this server knows. */
  | 'unsupported';

/** A webhook could not be asked, or gave no usable answer: its failure policy decides. */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError';
  /** For metrics: what the failure is worth as a status. */
  readonly code: number;
  readonly reason: FailedCallReason;

  constructor(
    webhook: string,
    text: string,
    options: ErrorOptions & { readonly code: number; readonly reason: FailedCallReason },
  ) {
    super(`failed calling webhook ${goQuote(webhook)}: ${text}`, options);
    this.code = options.code;
    this.reason = options.reason;
  }
}

/** The largest status that HTTP/2 of Node sends; above 999, Go's server answers with 500 as well. */
const mostOfHTTP = 599;

/** A webhook said no: its status, made one of a failure (webhook/errors ToStatusErr, 1.36). */
export function webhookDenial(webhook: string, status: AdmissionResponse['status'] = {}): StatusError {
  const denied = `admission webhook ${goQuote(webhook)} denied the request`;
  const { code = 0, message = '', reason = '', details, metadata } = status;
  const why = message === '' ? reason : message;
  return new StatusError({
    status: 'Failure',
    code: code < 400 ? 400 : code > mostOfHTTP ? 500 : code,
    message: why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
    ...(reason === '' ? {} : { reason: reason as StatusReason }),
    ...(details === undefined ? {} : { details }),
    ...(metadata === undefined ? {} : { metadata }),
  });
}

/** A webhook with side effects cannot take part in a dry run. */
export function dryRunUnsupported(webhook: string): StatusError {
  return badRequest(`admission webhook ${goQuote(webhook)} does not support dry run`);
}
