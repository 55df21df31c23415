import { refusedFlag } from './flag.ts';
import { flagSet } from './flag-set.ts';

const peers = 'requests are not handed to other API servers (feature gate UnknownVersionInteroperabilityProxy is off)';

/**
 * Flags of kube-apiserver for what is not built: known, so that a command line that asks for nothing of it is taken,
 * and one that asks for something is told why not.
 */
export const refusedFlags = flagSet('Unsupported', {
  'enable-logs-handler': refusedFlag('log files are not served, which kube-apiserver has deprecated', ['false']),
  'peer-advertise-ip': refusedFlag(peers),
  'peer-advertise-port': refusedFlag(peers),
  'peer-ca-file': refusedFlag(peers),
});
