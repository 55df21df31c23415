import { expect } from 'chai';
import { findControllersProcess, findServerProcess, SERVER_NAMES } from './server-process.ts';
import { readServerFlags } from './route-flags.ts';

describe('flags of the servers, before anything is started', () => {
  const rows: readonly (readonly [flags: readonly string[], told: string])[] = [
    [['--max-requests-inflight=abc'], 'invalid argument "abc" for "--max-requests-inflight" flag: '],
    [['--event-ttl', 'zz'], 'invalid argument "zz" for "--event-ttl" flag: '],
    [
      ['--tls-min-version=VersionTLS99'],
      'invalid argument "VersionTLS99" for "--tls-min-version" flag: must be one of',
    ],
    [['--feature-gates=Nope=true'], 'invalid argument "Nope=true" for "--feature-gates" flag: unrecognized feature'],
    [['--authorization-mode=RBAC,Foo'], 'invalid argument "RBAC,Foo" for "--authorization-mode" flag: "Foo" is not a'],
    [
      ['--service-cluster-ip-range', 'foo'],
      'invalid argument "foo" for "--service-cluster-ip-range" flag: invalid CIDR',
    ],
    [['--peer-ca-file=/x'], '--peer-ca-file: cannot read /x: no such file'],
    [['--allow-privileged=maybe'], 'invalid argument "maybe" for "--allow-privileged" flag: '],
    [['-v=much'], 'invalid argument "much" for "--v" flag: '],
    [['--nope'], 'unknown flag: --nope'],
    [['--event-ttl'], 'flag needs an argument: --event-ttl'],
  ];
  for (const [flags, told] of rows)
    it(`${flags.join(' ')} is refused`, async () => {
      const servers = [...(await Promise.all(SERVER_NAMES.map(findServerProcess))), await findControllersProcess()];
      expect(() => readServerFlags(flags, servers)).to.throw(told);
    });

  it('are passed on as they stand when all that know them can read them', async () => {
    const servers = await Promise.all(SERVER_NAMES.map(findServerProcess));
    const flags = [
      '--event-ttl',
      '2h',
      '--allow-privileged',
      '-v4',
      '--peer-ca-file=',
      '--authorization_mode=Node,RBAC',
    ];
    expect(readServerFlags(flags, servers).flatMap((flag) => flag.arguments)).to.deep.equal(flags);
  });
});
