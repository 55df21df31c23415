import { expect } from 'chai';
import type { ServerProcess } from '../chain/server-process.ts';
import { parseUpFlags } from './up-flags.ts';

const servers: ServerProcess[] = [
  {
    name: 'aggregator',
    main: '',
    flags: new Map([
      ['v', { isBoolean: false }],
      ['control-listen', { isBoolean: false }],
      ['enable-aggregator-routing', { isBoolean: true }],
    ]),
  },
  {
    name: 'kube-apiserver',
    main: '',
    flags: new Map([
      ['v', { isBoolean: false }],
      ['token-auth-file', { isBoolean: false }],
    ]),
  },
];
const parse = (...args: string[]) => parseUpFlags(args, servers);

describe('flags of up', () => {
  it('has defaults', () => {
    expect(parse()).to.deep.equal({
      dataDir: '.kubechain',
      securePort: 6443,
      securePortGiven: false,
      controllers: 'lifecycle',
      serverFlags: [],
    });
  });
  it('takes both forms of values', () => {
    expect(
      parse(
        '--data-dir',
        'd',
        '--secure-port=7443',
        '--only=apiextensions',
        '--etcd-servers',
        'http://a,http://b',
        '--inspect',
      ),
    ).to.deep.equal({
      dataDir: 'd',
      securePort: 7443,
      securePortGiven: true,
      only: 'apiextensions',
      etcdServers: 'http://a,http://b',
      inspectPort: 9229,
      controllers: 'lifecycle',
      serverFlags: [],
    });
    expect(parse('--inspect=9300').inspectPort).to.equal(9300);
    expect(parse('--controllers', '*,-job').controllers).to.equal('*,-job');
  });
  it('takes how long the start may last', () => {
    expect(parse('--ready-timeout', '10m').readyTimeoutMs).to.equal(600_000);
    expect(parse('--ready-timeout=0').readyTimeoutMs).to.equal(0);
    for (const text of ['10', '-1s', 'long', ''])
      expect(() => parse(`--ready-timeout=${text}`)).to.throw(
        `invalid argument "${text}" for "--ready-timeout" flag: must be a duration like 10m, or 0`,
      );
  });
  it('knows two topologies', () => {
    expect(parse('--topology', 'all-in-one').topology).to.equal('all-in-one');
    expect(parse('--topology=chain').topology).to.equal(undefined);
    expect(() => parse('--topology=ring')).to.throw('must be one of chain, all-in-one');
    expect(() => parse('--topology=all-in-one', '--inspect')).to.throw('--only and --inspect do not go with it');
  });
  it('opens the control API for what goes by it', () => {
    for (const flag of ['--seed=7', '--from-snapshot=a.jsonl', '--ui'])
      expect(parse('--data-dir=/d', flag).serverFlags, flag).to.deep.equal([
        { name: 'control-listen', arguments: ['--control-listen=unix:/d/run/control.sock'] },
      ]);
    expect(parse('--from-snapshot', 'a.jsonl')).to.include({ control: true, fromSnapshot: 'a.jsonl' });
    expect(() => parse('--from-snapshot=a.jsonl', '--only=aggregator')).to.throw('--only does not go with it');
  });
  it('passes on what servers know, as it stands', () => {
    expect(
      parse('-v', '4', '--token-auth-file', '--data-dir', '--enable-aggregator-routing', '--token_auth_file=x')
        .serverFlags,
    ).to.deep.equal([
      { name: 'v', arguments: ['-v', '4'] },
      { name: 'token-auth-file', arguments: ['--token-auth-file', '--data-dir'] },
      { name: 'enable-aggregator-routing', arguments: ['--enable-aggregator-routing'] },
      { name: 'token-auth-file', arguments: ['--token_auth_file=x'] },
    ]);
    expect(parse('-v4').serverFlags).to.deep.equal([{ name: 'v', arguments: ['-v4'] }]);
  });
  it('takes the port of --inspect and --ui behind them as well', () => {
    expect(parse('--inspect', '9300', '--ui', '8080')).to.include({ inspectPort: 9300, ui: 8080 });
    expect(parse('--inspect', '--ui', '-v', '3')).to.include({ inspectPort: 9229, ui: 0 });
  });
  for (const [args, message] of [
    [['--nope'], 'unknown flag: --nope'],
    [['--nope=1'], 'unknown flag: --nope'],
    [['-x'], "unknown shorthand flag: 'x' in -x"],
    [['extra'], 'unexpected argument "extra"'],
    [['--token-auth-file'], 'flag needs an argument: --token-auth-file'],
    [['--data-dir'], 'flag needs an argument: --data-dir'],
    [['--secure-port=x'], 'invalid argument "x" for "--secure-port" flag: must be a port between 0 and 65535'],
    [['--secure-port=70000'], 'invalid argument "70000" for "--secure-port" flag: must be a port between 0 and 65535'],
    [['--token-auth-fil', 'x'], 'unknown flag: --token-auth-fil; did you mean --token-auth-file?'],
    [['--seed=x'], 'invalid argument "x" for "--seed" flag: must be a whole number of at most 15 digits'],
    [
      ['--quota-backend-bytes=2Gi'],
      'invalid argument "2Gi" for "--quota-backend-bytes" flag: must be a whole number of bytes',
    ],
    [
      ['--quota-backend-bytes=1', '--etcd-servers=http://a:2379'],
      '--quota-backend-bytes is of the embedded store: etcd has a flag of its own',
    ],
    [['--only'], 'flag needs an argument: --only'],
    [
      ['--only=etcd'],
      'invalid argument "etcd" for "--only" flag: must be one of aggregator, kube-apiserver, apiextensions',
    ],
  ] as const) {
    it(`refuses ${args.join(' ')}`, () => expect(() => parse(...args)).to.throw(message));
  }
});
