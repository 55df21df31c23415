import { StatusError } from '@kubechain/apimachinery';
import type { CallFailure } from '@kubechain/apiserver/resources';

/**
 * How a call of a conversion webhook has ended. The kinds are values of the metric's label `reason`
 * (docs/debugging.md).
 */
export type ConversionEnd = 'converted' | ConversionFailureReason;

/** Why there is nothing that was converted. */
export type ConversionFailureReason =
  | CallFailure
  /** The answer is no review of this conversion. */
  | 'invalid_answer'
  /** The webhook says that it cannot convert. */
  | 'failed'
  /** It gave back more or fewer objects than it got. */
  | 'partial_answer'
  /** It gave back other objects, or changed what it must not. */
  | 'invalid_object'
  /** It takes no version of reviews that this server knows, and was not asked. */
  | 'unsupported';

/** Conversions fail with a plain 500 that has no reason, as the reference's; `end` is for metrics and logs. */
export class ConversionError extends StatusError {
  readonly end: ConversionFailureReason;

  constructor(end: ConversionFailureReason, message: string, options: ErrorOptions = {}) {
    super({ status: 'Failure', code: 500, message }, options);
    this.end = end;
  }
}
