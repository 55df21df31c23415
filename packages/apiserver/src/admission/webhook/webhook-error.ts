import { StatusError, badRequest, goQuote, type StatusReason } from '@kubechain/apimachinery';
import type { AdmissionResponse } from './admission-review.ts';

/** A webhook could not be asked, or gave no usable answer: its failure policy decides. */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError';
  /** For metrics: what the failure is worth as a status. */
  readonly code: number;

  constructor(webhook: string, reason: string, options: ErrorOptions & { readonly code: number }) {
    super(`failed calling webhook ${goQuote(webhook)}: ${reason}`, options);
    this.code = options.code;
  }
}

/** A webhook said no: its status, made one of a failure (webhook/errors ToStatusErr, 1.36). */
export function webhookDenial(webhook: string, status: AdmissionResponse['status'] = {}): StatusError {
  const denied = `admission webhook ${goQuote(webhook)} denied the request`;
  const { code = 0, message = '', reason = '', details, metadata } = status;
  const why = message === '' ? reason : message;
  return new StatusError({
    status: 'Failure',
    code: code < 400 ? 400 : code,
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
