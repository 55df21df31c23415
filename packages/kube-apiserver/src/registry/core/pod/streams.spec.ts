import { StatusError } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { cleanPath, splitSchemeNamePort } from '../../scheme-name-port.ts';
import { chooseContainer } from './container-choice.ts';
import { validatePodLogOptions, type PodLogOptions } from './log-options.ts';
import { podBackend } from './streams.ts';

const container = (name: string, port?: number): { name: string; ports?: { containerPort: number }[] } => ({
  name,
  ...(port === undefined ? {} : { ports: [{ containerPort: port }] }),
});
const podOf = (spec: object, ip?: string): Pod =>
  ({ metadata: { name: 'p', namespace: 'n' }, spec, status: ip === undefined ? {} : { podIPs: [{ ip }] } }) as Pod;
const outcome = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error instanceof StatusError ? `${error.status.code ?? 0} ${error.message}` : error;
  }
};

describe('the container of a stream', () => {
  const two = {
    containers: [container('c'), container('d')],
    initContainers: [container('i')],
    ephemeralContainers: [container('e')],
  };
  const rows: readonly (readonly [what: string, spec: object, name: string, expected: string])[] = [
    ['is the only one', { containers: [container('c')], initContainers: [container('i')] }, '', 'c'],
    ['is the named one, of any kind', two, 'e', 'e'],
    [
      'must be chosen from several',
      two,
      '',
      '400 a container name must be specified for pod p, choose one of: [i c d e]',
    ],
    ['must be there', two, 'x', '400 container x is not valid for pod p'],
    ['must be named when there is none', {}, '', '400 a container name must be specified for pod p'],
  ];
  for (const [what, spec, name, expected] of rows)
    it(what, () => {
      expect(outcome(() => chooseContainer(podOf(spec), name))).to.equal(expected);
    });
});

describe('the options of logs', () => {
  const rows: readonly (readonly [
    what: string,
    options: PodLogOptions,
    selectsStreams: boolean,
    expected: readonly string[],
  ])[] = [
    ['may be empty', {}, false, []],
    [
      'have bounds',
      { tailLines: -1, limitBytes: 0, sinceSeconds: 0 },
      false,
      [
        'tailLines: Invalid value: -1: must be greater than or equal to 0',
        'limitBytes: Invalid value: 0: must be greater than 0',
        'sinceSeconds: Invalid value: 0: must be greater than 0',
      ],
    ],
    [
      'name one beginning',
      { sinceSeconds: 0, sinceTime: '2020-01-01T00:00:00Z' },
      false,
      ['[]: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified'],
    ],
    ['do not choose a stream', { stream: 'All' }, false, ['stream: Forbidden: may not be specified']],
    ['choose a stream with the feature', { stream: 'Stdout' }, true, []],
    [
      'choose no unknown stream',
      { stream: 'x', tailLines: 1 },
      true,
      [
        'stream: Unsupported value: "x": supported values: "All", "Stderr", "Stdout"',
        '[]: Forbidden: `tailLines` and specific `stream` are mutually exclusive for now',
      ],
    ],
  ];
  for (const [what, options, selectsStreams, expected] of rows)
    it(what, () => {
      expect(validatePodLogOptions(options, selectsStreams).map(String)).to.deep.equal(expected);
    });
});

describe('the address of a proxied pod', () => {
  const rows: readonly (readonly [id: string, spec: object, ip: string | undefined, expected: string])[] = [
    ['p', { containers: [container('c')] }, '10.1.2.3', 'http://10.1.2.3'],
    ['p', { containers: [container('c'), container('d', 8080)] }, '10.1.2.3', 'http://10.1.2.3:8080'],
    ['p:81', { containers: [container('c', 80)] }, 'fd00::1', 'http://[fd00::1]:81'],
    ['https:p:', { containers: [container('c')] }, 'fd00::1', 'https://[fd00::1]'],
    ['ftp:p:80', {}, '10.1.2.3', '400 invalid pod request "ftp:p:80"'],
    ['a:b:c:d', {}, '10.1.2.3', '400 invalid pod request "a:b:c:d"'],
    ...[
      '127.0.0.1',
      '169.254.169.254',
      '224.0.0.1',
      '0.0.0.0',
      '255.255.255.255',
      '::1',
      'fe80::1',
      'ff02::1',
      'x',
      undefined,
    ].map((ip) => ['p', {}, ip, '400 address not allowed'] as const),
  ];
  for (const [id, spec, ip, expected] of rows) {
    it(`${id} at ${ip ?? 'no address'}`, async () => {
      const text = await podBackend(() => Promise.resolve(podOf(spec, ip)), id).then(
        ({ scheme, host }) => `${scheme}://${host}`,
        (error: unknown) =>
          outcome(() => {
            throw error as Error;
          }),
      );
      expect(text).to.equal(expected);
    });
  }
});

describe('names and paths of proxied objects', () => {
  it('take names apart', () => {
    expect(splitSchemeNamePort('x')).to.deep.equal({ scheme: '', name: 'x', port: '' });
    expect(splitSchemeNamePort('x:y')).to.deep.equal({ scheme: '', name: 'x', port: 'y' });
    expect(splitSchemeNamePort('https:x:y')).to.deep.equal({ scheme: 'https', name: 'x', port: 'y' });
    expect(splitSchemeNamePort(':x')).to.equal(undefined);
  });
  it('clean paths, and keep the slash at their end', () => {
    for (const [path, expected] of [
      ['', ''],
      ['/', '/'],
      ['/a//b/../c', '/a/c'],
      ['/a/', '/a/'],
      ['/a/..', '/'],
    ] as const)
      expect(cleanPath(path), path).to.equal(expected);
  });
});
