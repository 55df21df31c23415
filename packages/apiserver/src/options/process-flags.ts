import { Quantity } from '@kubechain/apimachinery';
import { fileFlag } from './file-flag.ts';
import { booleanFlag, durationFlag, enumFlag, idleFlag, intFlag, mapFlag, stringFlag } from './flag.ts';
import { flagSet } from './flag-set.ts';

/** The control API. */
export const controlFlags = flagSet('Control', {
  'control-listen': stringFlag(
    'Where the control API is served, for tests: `unix:PATH`, a socket of mode 0600. None: nowhere.',
  ),
  'expired-tls-cert-file': fileFlag(
    'PEM file with a certificate for the key of --tls-private-key-file that has expired, which clients see while the ' +
      'control API says so: for tests. None: the serving certificate cannot expire.',
  ),
  'tenants-from': stringFlag(
    'Where the process of the tenants listens, `unix:PATH`, once the first of them is asked for: for tests. None: ' +
      'there can be no tenants.',
  ),
});

/** Of servers behind the first. */
export const faultFlags = flagSet('Faults', {
  'faults-from': stringFlag(
    'The control API of the server in front, `unix:PATH`, which tells the faults that calls of this process meet: ' +
      'for tests. None: they meet none.',
  ),
});

const split = 'Info lines go to stdout and the others to stderr, instead of all to stderr; for --logging-format';
const sizeFlag = stringFlag('Accepted for compatibility: lines are written at once.', '0', (text) =>
  parsesAsQuantity(text) ? undefined : 'must be a quantity of bytes',
);

function parsesAsQuantity(text: string): boolean {
  try {
    Quantity.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Log lines. */
export const loggingFlags = flagSet('Logs', {
  v: intFlag(
    'How much is logged: 0 what operators should see, 2 steps of the server, 3 every request, 4 and more for ' +
      'debugging.',
    0,
  ),
  vmodule: mapFlag('Levels of single components, `httplog=3,delegation=4`.', (pairs) => {
    for (const [component, level] of pairs) if (!/^\d+$/.test(level)) return `level of ${component} must be a number`;
    return undefined;
  }),
  'logging-format': enumFlag('Form of log lines.', 'text', ['text', 'json']),
  'log-flush-frequency': idleFlag(durationFlag('Accepted for compatibility: lines are written at once.', 5_000)),
  'log-json-info-buffer-size': idleFlag(sizeFlag),
  'log-json-split-stream': booleanFlag(`${split} json. Needs the feature gate LoggingAlphaOptions.`),
  'log-text-info-buffer-size': idleFlag(sizeFlag),
  'log-text-split-stream': booleanFlag(`${split} text. Needs the feature gate LoggingAlphaOptions.`),
});

/** The link to the next process of the chain. */
export const delegateFlags = flagSet('Delegation', {
  delegate: stringFlag(
    'The process that answers what this one does not know: `unix:PATH` or `https://host:port`. None: such ' +
      'requests get 404.',
  ),
  'delegate-ca-file': fileFlag("PEM file with the authority of an https delegate's certificate."),
  'delegate-server-name': stringFlag("Name expected in an https delegate's certificate; default its host."),
  'proxy-client-cert-file': fileFlag(
    'PEM file with the certificate that this process shows as a front proxy, to an https delegate and to ' +
      'extension API servers.',
  ),
  'proxy-client-key-file': fileFlag('PEM file with the key of --proxy-client-cert-file.'),
});

/** The link to the process in front. */
export const delegateListenFlags = flagSet('Delegate listener', {
  'delegate-listen': stringFlag(
    'Where the process in front connects: `unix:PATH` (made with mode 0600), or `https://host:port`, which ' +
      'asks for a front-proxy client certificate (--requestheader-client-ca-file). What it says about users is ' +
      'believed.',
  ),
});
