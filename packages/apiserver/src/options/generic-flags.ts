import { fileFlag } from './file-flag.ts';
import { compilePattern } from '@kubechain/cel/patterns';
import { limits } from '@kubechain/apimachinery';
import { isIP } from 'node:net';
import {
  booleanFlag,
  durationFlag,
  floatFlag,
  idleFlag,
  intFlag,
  listFlag,
  mapFlag,
  stringFlag,
  type Check,
} from './flag.ts';
import { gatesProblem } from './feature-gates.ts';
import { versionsProblem } from './component-versions.ts';
import { releaseFlag } from './release-from-flags.ts';
import { runtimeConfigProblem } from './runtime-config.ts';
import { flagSet } from './flag-set.ts';
import { versionFlag } from './version-flag.ts';

const notNegative: Check<number> = (value) => (value < 0 ? 'must not be negative' : undefined);

/** What upstream calls universal flags: limits, timeouts, shutdown. */
export const genericFlags = flagSet('Generic', {
  'advertise-address': stringFlag(
    'IP address under which the server is told to others; default --bind-address.',
    '',
    (text) => (text === '' || isIP(text) !== 0 ? undefined : `failed to parse IP: ${JSON.stringify(text)}`),
  ),
  'egress-selector-config-file': fileFlag('File with apiserver egress selector configuration.'),
  'external-hostname': stringFlag('Host name in URLs that the server gives out.'),
  'cors-allowed-origins': listFlag(
    'Patterns (regular expressions) of origins that browsers may call from.',
    [],
    (values) => {
      for (const value of values) {
        const problem = compilePattern(value);
        if (typeof problem === 'string') return `${value} is no regular expression: ${problem}`;
      }
      return undefined;
    },
  ),
  'strict-transport-security-directives': listFlag(
    'Directives of the Strict-Transport-Security header; none sends no header.',
  ),
  'max-requests-inflight': intFlag(
    'Read-only requests that may run at the same time, 0 is no limit; with priority and fairness this and the ' +
      'next one together are the seats of the server.',
    400,
    notNegative,
  ),
  'max-mutating-requests-inflight': intFlag(
    'Mutating requests that may run at the same time; 0 is no limit.',
    200,
    notNegative,
  ),
  'max-watches-per-user': intFlag(
    'Watches and other requests without a deadline that one user may have open, or all service accounts of one ' +
      'namespace together (of kube-system each), but for system:masters; 0 is no limit.',
    limits.watchesPerUser.value,
    notNegative,
  ),
  'request-timeout': durationFlag('How long a request may take, other than watches and streams.', 60_000, (value) =>
    value <= 0 ? 'must be above 0' : undefined,
  ),
  'min-request-timeout': intFlag(
    'Seconds that a watch without timeoutSeconds lasts at least; it ends at a random time up to twice that.',
    1_800,
    notNegative,
  ),
  'goaway-chance': floatFlag(
    'Share of HTTP/2 requests after which the connection is closed, so that clients spread over servers.',
    0,
    (value) => (value < 0 || value > 0.02 ? 'must be between 0 and 0.02' : undefined),
  ),
  'livez-grace-period': durationFlag('How long /livez hides post-start hooks that have not finished.', 0, notNegative),
  'shutdown-delay-duration': durationFlag(
    'How long the server goes on serving after SIGTERM while /readyz fails.',
    0,
    notNegative,
  ),
  'shutdown-send-retry-after': booleanFlag(
    'Go on listening while requests in flight finish, and answer new ones with 429, Retry-After and Connection: close.',
  ),
  'shutdown-watch-termination-grace-period': durationFlag(
    'How long a stopping server waits for watches to end; 0 uses --request-timeout.',
    0,
    notNegative,
  ),
  version: versionFlag,
  'kubernetes-version': releaseFlag,
  'emulated-version': listFlag(
    'Release whose APIs and features are served, `1.34` or `kube=1.34`: up to three before the own one.',
    [],
    versionsProblem,
  ),
  'emulation-forward-compatible': booleanFlag(
    'Serve what came after --emulated-version too, where an older version of it is served.',
  ),
  'min-compatibility-version': listFlag(
    'Oldest release of control plane components that the server goes together with: up to three before the own one.',
    [],
    versionsProblem,
  ),
  'runtime-config-emulation-forward-compatible': booleanFlag(
    'Serve what --runtime-config names, also where it came after --emulated-version.',
  ),
  'observe-listen': stringFlag(
    'Where the process tells about its requests and its load while somebody listens, for the page of the chain: ' +
      '`unix:PATH`, a socket of mode 0600. None: nowhere.',
  ),
  'watchdog-timeout': durationFlag(
    'How long one piece of work may hold the event loop before the process (all-in-one: the thread) is ended, ' +
      'so that its supervisor starts it again; 0 never. What holds it for longer than a second is logged ' +
      'with its stack.',
    10_000,
    notNegative,
  ),
  'storage-initialization-timeout': durationFlag(
    'How long the server waits for storage before it says that it is ready.',
    60_000,
    notNegative,
  ),
});

/** Which APIs are served. */
export const apiEnablementFlags = flagSet('API enablement', {
  'runtime-config': mapFlag(
    'APIs to turn on or off: `api/all=false`, `api/beta=true`, `batch/v1=false`, `apps/v1/deployments=true`.',
    runtimeConfigProblem,
  ),
});

/** Feature gates, profiling and debugging. */
export const featureFlags = flagSet('Features', {
  'feature-gates': mapFlag('Feature gates by name, `Name=true|false` or `kube:Name=true|false`.', gatesProblem),
  profiling: booleanFlag('Serve /debug/pprof and /debug/flags.', true),
  'contention-profiling': idleFlag(booleanFlag('Accepted for compatibility: there are no locks to profile.')),
  'enable-priority-and-fairness': booleanFlag(
    'Queue requests by FlowSchemas and priority levels; false only limits their number.',
    true,
  ),
  'debug-break-on': stringFlag(
    "Stop an attached debugger at requests like this: 'VERB RESOURCE[.GROUP][/SUBRESOURCE] [[NAMESPACE/]NAME]'.",
  ),
  'debug-patience': booleanFlag('Take silence of the next process and of etcd for a breakpoint, and wait it out.'),
  'debug-served-by-header': booleanFlag('Say on each response which process answered, as X-Kubechain-Served-By.'),
});
