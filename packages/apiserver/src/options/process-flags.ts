import { enumFlag, intFlag, mapFlag, stringFlag } from './flag.ts';
import { flagSet } from './flag-set.ts';

/** The audit log. Turned into an Auditor by `auditorFromFlags`. */
export const auditFlags = flagSet('Auditing', {
  'audit-policy-file': stringFlag('File with the audit policy; without one nothing is recorded.'),
  'audit-log-path': stringFlag('File that events are appended to, one JSON object a line; `-` is standard output.'),
  'audit-log-format': enumFlag('Form of events.', 'json', ['json', 'legacy']),
  'audit-log-maxsize': intFlag('Megabytes after which the file is rotated; 0 never.', 0),
  'audit-log-maxbackup': intFlag('Rotated files that are kept; 0 keeps all.', 0),
  'audit-log-maxage': intFlag('Days for which rotated files are kept; 0 keeps all.', 0),
});

/** The control API. */
export const controlFlags = flagSet('Control', {
  'control-listen': stringFlag(
    'Where the control API is served, for tests: `unix:PATH`, a socket of mode 0600. None: nowhere.',
  ),
});

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
});

/** The link to the next process of the chain. */
export const delegateFlags = flagSet('Delegation', {
  delegate: stringFlag(
    'The process that answers what this one does not know: `unix:PATH` or `https://host:port`. None: such ' +
      'requests get 404.',
  ),
  'delegate-ca-file': stringFlag("PEM file with the authority of an https delegate's certificate."),
  'delegate-server-name': stringFlag("Name expected in an https delegate's certificate; default its host."),
  'proxy-client-cert-file': stringFlag(
    'PEM file with the certificate that this process shows as a front proxy, to an https delegate and to ' +
      'extension API servers.',
  ),
  'proxy-client-key-file': stringFlag('PEM file with the key of --proxy-client-cert-file.'),
});

/** The link to the process in front. */
export const delegateListenFlags = flagSet('Delegate listener', {
  'delegate-listen': stringFlag(
    'Where the process in front connects: `unix:PATH` (made with mode 0600), or `https://host:port`, which ' +
      'asks for a front-proxy client certificate (--requestheader-client-ca-file). What it says about users is ' +
      'believed.',
  ),
});
