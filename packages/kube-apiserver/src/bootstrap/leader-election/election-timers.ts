import { OptionsError } from '@kubechain/apiserver/options';
import type { FlagValues } from '@kubechain/apiserver/options';
import type { kubeApiserverFlags } from '../../flags.ts';

/** By which servers take turns, in milliseconds. */
export interface ElectionTimers {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** By --coordinated-leadership-*. @throws OptionsError for times with which two servers could lead, or none */
export function electionTimersOf(flags: FlagValues<typeof kubeApiserverFlags>): ElectionTimers {
  const leaseDurationMs = flags['coordinated-leadership-lease-duration'];
  const renewDeadlineMs = flags['coordinated-leadership-renew-deadline'];
  const retryPeriodMs = flags['coordinated-leadership-retry-period'];
  if (leaseDurationMs <= renewDeadlineMs)
    throw new OptionsError(
      'InvalidValue',
      '--coordinated-leadership-lease-duration must be greater than --coordinated-leadership-renew-deadline',
    );
  if (renewDeadlineMs <= retryPeriodMs)
    throw new OptionsError(
      'InvalidValue',
      '--coordinated-leadership-renew-deadline must be greater than --coordinated-leadership-retry-period',
    );
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}
