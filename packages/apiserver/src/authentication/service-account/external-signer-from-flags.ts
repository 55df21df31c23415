import { messageOf } from '@kubechain/apimachinery';
import type { TimerClock } from '@kubechain/apimachinery';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { Logger } from '../../logging/logger.ts';
import type { authenticationFlags } from '../../options/authentication-flags.ts';
import type { FlagValues } from '../../options/flag-set.ts';
import { unusableFlag } from '../../options/options-error.ts';
import { ExternalSigner } from './external-signer.ts';
import { ExternalSignerMetrics } from './external-signer-metrics.ts';

const log = new Logger('tokens');
const flag = 'service-account-signing-endpoint';
const abstractSocket = /^@([a-zA-Z0-9_-]+\.)*[a-zA-Z0-9_-]+$/;

/** The program of --service-account-signing-endpoint; undefined where there is none. @throws OptionsError */
export function externalSignerFromFlags(
  flags: FlagValues<typeof authenticationFlags>,
  { clock, registry = new MetricRegistry() }: { readonly clock: TimerClock; readonly registry?: MetricRegistry },
): ExternalSigner | undefined {
  const path = flags[flag];
  if (path === '') return undefined;
  if (flags['service-account-signing-key-file'] !== '' || flags['service-account-key-file'].length > 0)
    throw unusableFlag(
      flag,
      'cannot be given with --service-account-signing-key-file and/or --service-account-key-file (they are mutually ' +
        'exclusive)',
    );
  if (path.startsWith('@') && !abstractSocket.test(path))
    throw unusableFlag(flag, `invalid value ${JSON.stringify(path)}: with @ it must be the name of an abstract socket`);
  return new ExternalSigner({
    path,
    clock,
    metrics: new ExternalSignerMetrics(registry),
    onError: (error) => {
      log.warning('the keys of the external signer cannot be had', { error: messageOf(error) });
    },
  });
}
