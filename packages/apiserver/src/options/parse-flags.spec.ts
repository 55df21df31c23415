import { expect } from 'chai';
import {
  booleanFlag,
  durationFlag,
  enumFlag,
  flagSet,
  genericFlags,
  helpText,
  intFlag,
  listFlag,
  OptionsError,
  parseFlags,
  stringFlag,
} from './index.ts';
import { mapFlag } from './flag.ts';

const sets = {
  serving: flagSet('Secure serving', {
    'secure-port': intFlag('The port.', 6443, (port) =>
      port < 0 || port > 65_535 ? 'must be between 0 and 65535' : undefined,
    ),
    'bind-address': stringFlag('The address.', '0.0.0.0'),
  }),
  features: flagSet('Features', {
    profiling: booleanFlag('Profiling.', true),
    'request-timeout': durationFlag('Timeout.', 60_000),
    'enable-admission-plugins': listFlag('Plugins.'),
    'runtime-config': mapFlag('APIs.'),
    'storage-media-type': enumFlag('Media type.', 'application/json', [
      'application/json',
      'application/vnd.kubernetes.protobuf',
    ]),
    v: intFlag('Verbosity.', 0),
  }),
};

describe('parseFlags', () => {
  it('gives defaults when nothing is said', () => {
    const { values, given, help } = parseFlags([], sets);
    expect(values.serving['secure-port']).to.equal(6443);
    expect(values.features.profiling).to.equal(true);
    expect([...given]).to.deep.equal([]);
    expect(help).to.equal(false);
  });

  it('reads every form of a flag', () => {
    const { values, given } = parseFlags(
      [
        '--secure-port=0',
        '--bind_address',
        '127.0.0.1',
        '--profiling=false',
        '--request-timeout=1m30s',
        '-v2',
        '--enable-admission-plugins=A,B',
        '--enable-admission-plugins',
        'C',
        '--runtime-config=api/all=false,api/v1',
      ],
      sets,
    );
    expect(values.serving).to.deep.equal({ 'secure-port': 0, 'bind-address': '127.0.0.1' });
    expect(values.features['request-timeout']).to.equal(90_000);
    expect(values.features.v).to.equal(2);
    expect(values.features.profiling).to.equal(false);
    expect(values.features['enable-admission-plugins']).to.deep.equal(['A', 'B', 'C']);
    expect([...values.features['runtime-config']]).to.deep.equal([
      ['api/all', 'false'],
      ['api/v1', 'true'],
    ]);
    expect(given.has('bind-address')).to.equal(true);
  });

  const refusals: readonly (readonly [name: string, argv: readonly string[], message: string])[] = [
    ['unknown flag', ['--x=1'], 'unknown flag: --x'],
    ['unknown letter', ['-z'], "unknown shorthand flag: 'z' in -z"],
    ['missing value', ['--secure-port'], 'flag needs an argument: --secure-port'],
    [
      'no number',
      ['--secure-port=abc'],
      'invalid argument "abc" for "--secure-port" flag: strconv.ParseInt: parsing "abc": invalid syntax',
    ],
    [
      'number out of range',
      ['--secure-port=70000'],
      'invalid argument "70000" for "--secure-port" flag: must be between 0 and 65535',
    ],
    [
      'no duration',
      ['--request-timeout=5'],
      'invalid argument "5" for "--request-timeout" flag: time: invalid duration "5"',
    ],
    [
      'no boolean',
      ['--profiling=maybe'],
      'invalid argument "maybe" for "--profiling" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    [
      'no choice',
      ['--storage-media-type=x'],
      'invalid argument "x" for "--storage-media-type" flag: must be one of application/json, ' +
        'application/vnd.kubernetes.protobuf',
    ],
    ['argument', ['serve'], 'unexpected argument "serve": the server takes flags only'],
  ];
  for (const [name, argv, message] of refusals) {
    it(`refuses: ${name}`, () => {
      expect(() => parseFlags(argv, sets)).to.throw(OptionsError, message);
    });
  }

  it('stops at --help, and shows each flag with its default', () => {
    expect(parseFlags(['--help', '--nonsense'], sets).help).to.equal(true);
    const text = helpText('kube-apiserver', 'Serves the built-in API groups.', { sets });
    expect(text)
      .to.contain('Secure serving flags:')
      .and.to.contain('      --secure-port int\n                The port. (default 6443)');
    expect(text).to.contain('  -v, --v int').and.to.contain('-h, --help');
  });

  it('refuses --advertise-address that is none, in the words of the reference', () => {
    const read = (address: string): string =>
      parseFlags([`--advertise-address=${address}`], { generic: genericFlags }).values.generic['advertise-address'];
    expect(['', '192.0.2.1', 'fd00::1'].map(read)).to.deep.equal(['', '192.0.2.1', 'fd00::1']);
    expect(() => read('$(NAME)')).to.throw(
      'invalid argument "$(NAME)" for "--advertise-address" flag: failed to parse IP: "$(NAME)"',
    );
  });

  describe('--version', () => {
    const generic = { generic: genericFlags };
    it('has the version shown, whatever follows', () => {
      expect(parseFlags(['--version'], generic).version).to.equal('true');
      expect(parseFlags(['--version=1', '--unknown'], generic).version).to.equal('true');
      expect(parseFlags(['--version=raw'], generic).version).to.equal('raw');
    });
    it('does nothing when it is false', () => {
      const { values, version } = parseFlags(['--version=false'], generic);
      expect([version, values.generic.version]).to.deep.equal([undefined, '']);
    });
    it('takes another version of the release to tell', () => {
      const { values, version } = parseFlags(['--version=v1.36.2-custom'], generic);
      expect([version, values.generic.version]).to.deep.equal([undefined, 'v1.36.2-custom']);
    });
    for (const wrong of ['v1.36', 'v1.036.2', 'v1.36.2-', 'v1.36.2-ä', 'maybe'])
      it(`refuses ${wrong}`, () => {
        expect(() => parseFlags([`--version=${wrong}`], generic)).to.throw(OptionsError, '"--version" flag: ');
      });
  });
});
