import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import {
  delegateFlags,
  delegateListenFlags,
  authenticationFlags,
  genericFlags,
  featureFlags,
  OptionsError,
  parseFlags,
  servingFlags,
} from '../options/index.ts';
import {
  delegateFromFlags,
  delegateListenerFromFlags,
  genericConfigFromFlags,
  secureServingFromFlags,
} from './config-from-flags.ts';
import { SecureServing } from './serving/secure-serving.ts';
import { caPEM, servingPEM } from './testing/test-server.ts';

const handlers = {
  request() {
    /* not asked */
  },
  upgrade() {
    /* not asked */
  },
};

describe('config from flags', () => {
  const directory = mkdtempSync(join(tmpdir(), 'serving-'));
  after(() => {
    rmSync(directory, { recursive: true });
  });

  async function serve(...argv: string[]): Promise<SecureServing | undefined> {
    const options = await secureServingFromFlags(
      parseFlags(['--bind-address=127.0.0.1', ...argv], { serving: servingFlags }).values.serving,
    );
    return options === undefined ? undefined : new SecureServing(options, handlers);
  }

  async function refusal(run: () => unknown): Promise<string> {
    try {
      await run();
    } catch (error) {
      expect(error).to.be.instanceOf(OptionsError);
      return (error as Error).message;
    }
    throw new TypeError('was not refused');
  }

  it('serves nothing on port 0', async () => {
    expect(await serve('--secure-port=0')).to.equal(undefined);
  });

  it('names the flag when a certificate cannot be used', async () => {
    expect(
      await refusal(() => serve(`--tls-cert-file=${directory}/none.pem`, `--tls-private-key-file=${servingPEM}`)),
    ).to.equal(`--tls-cert-file: cannot read ${directory}/none.pem: no such file`);
    expect(await refusal(() => serve(`--tls-cert-file=${servingPEM}`))).to.equal(
      '--tls-private-key-file: must be given with --tls-cert-file',
    );
    writeFileSync(join(directory, 'garbage.pem'), 'garbage');
    expect(
      await refusal(() => serve(`--tls-cert-file=${directory}/garbage.pem`, `--tls-private-key-file=${servingPEM}`)),
    ).to.equal(`--tls-cert-file: ${directory}/garbage.pem is no PEM certificate`);
    expect(await refusal(() => serve(`--tls-cert-file=${servingPEM}`, `--tls-private-key-file=${caPEM}`))).to.match(
      /^--tls-private-key-file: .*ca\.pem does not fit .*server\.pem: /,
    );
    expect(
      await refusal(() =>
        serve(`--tls-cert-file=${servingPEM}`, `--tls-private-key-file=${servingPEM}`, '--tls-cipher-suites=NONE_SUCH'),
      ),
    ).to.equal("--tls-cipher-suites: Cipher suite NONE_SUCH not supported or doesn't exist");
  });

  it('names the flag when the port is in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo;
    const serving = await serve(
      `--secure-port=${port}`,
      `--tls-cert-file=${servingPEM}`,
      `--tls-private-key-file=${servingPEM}`,
    );
    expect(await refusal(() => serving?.listen())).to.equal(
      `--secure-port: failed to listen on 127.0.0.1:${port}: address already in use`,
    );
    blocker.close();
  });

  it('makes a self-signed certificate once, with a key that only the owner reads', async () => {
    const certDir = join(directory, 'certs');
    const first = await secureServingFromFlags(
      parseFlags([`--cert-dir=${certDir}`], { serving: servingFlags }).values.serving,
    );
    expect(first?.certificate.certFile).to.equal(join(certDir, 'apiserver.crt'));
    const { mode, mtimeMs } = statSync(join(certDir, 'apiserver.key'));
    expect(mode & 0o777).to.equal(0o600);
    const serving = await serve(`--cert-dir=${certDir}`);
    expect(statSync(join(certDir, 'apiserver.key')).mtimeMs).to.equal(mtimeMs);
    serving?.destroy();
    expect(await refusal(() => serve(`--cert-dir=${servingPEM}/below`))).to.match(
      /^--cert-dir: cannot write a self-signed certificate to .*: ENOTDIR; give --tls-cert-file/,
    );
  });

  it('reads delegates and delegate listeners', async () => {
    const sets = {
      delegate: delegateFlags,
      listen: delegateListenFlags,
      serving: servingFlags,
      authentication: authenticationFlags,
    };
    const of = (...argv: string[]): ReturnType<typeof parseFlags<typeof sets>>['values'] =>
      parseFlags(argv, sets).values;
    expect(await delegateFromFlags(of().delegate, { name: 'next', patient: false })).to.equal(undefined);
    const delegate = await delegateFromFlags(of('--delegate=unix:/tmp/x.sock').delegate, {
      name: 'next',
      patient: false,
    });
    expect(delegate?.name).to.equal('next');
    await delegate?.close();
    expect(delegateListenerFromFlags(of('--delegate-listen=unix:///tmp/x.sock'))).to.deep.equal({
      address: { kind: 'unix', path: '/tmp/x.sock' },
    });
    expect(
      await refusal(() => delegateFromFlags(of('--delegate=http://x').delegate, { name: 'next', patient: false })),
    ).to.equal('--delegate: "http://x" is neither unix:PATH nor https://host:port');
    expect(
      await refusal(() => delegateFromFlags(of('--delegate=https://x:1').delegate, { name: 'next', patient: false })),
    ).to.equal('--delegate: an https delegate needs --proxy-client-cert-file and --proxy-client-key-file');
    expect(await refusal(() => delegateListenerFromFlags(of('--delegate-listen=https://127.0.0.1:1')))).to.contain(
      '--delegate-listen: an https listener needs',
    );
  });

  it("turns seconds, durations and limits into the server's units", () => {
    const { generic, features } = parseFlags(
      ['--min-request-timeout=10', '--request-timeout=5s', '--max-requests-inflight=7', '--profiling=false'],
      { generic: genericFlags, features: featureFlags },
    ).values;
    expect(genericConfigFromFlags(generic, features)).to.deep.include({
      minRequestTimeoutMs: 10_000,
      requestTimeoutMs: 5_000,
      maxInFlight: { readOnly: 7, mutating: 200 },
      enableProfiling: false,
    });
  });
});

describe('runServerProcess', () => {
  const main = new URL('./testing/process-main.ts', import.meta.url).pathname;
  function start(
    ...argv: string[]
  ): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [main, ...argv], (_error, stdout, stderr) => {
        resolve({ code: child.exitCode, stdout, stderr });
      });
      child.stdout?.on('data', (text: string) => {
        if (text.includes('serving on')) child.kill('SIGTERM');
      });
    });
  }

  it('prints help and exits 0', async () => {
    const { code, stdout, stderr } = await start('--help');
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.contain('--secure-port int').and.to.contain('-v, --v int');
  });

  it('answers a wrong flag with one line and exit 1', async () => {
    expect(await start('--nonsense')).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: 'Error: unknown flag: --nonsense\n',
    });
  });

  it('answers an unusable value with one line and exit 1', async () => {
    expect(await start('--tls-cert-file=/none', '--tls-private-key-file=/none')).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: 'Error: --tls-cert-file: cannot read /none: no such file\n',
    });
  });

  it('says when it serves, and ends with 0 on SIGTERM', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    await once(free, 'close');
    const { code, stdout, stderr } = await start(
      `--tls-cert-file=${servingPEM}`,
      `--tls-private-key-file=${servingPEM}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
    );
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.equal(`serving on https://127.0.0.1:${port}\n`);
  });

  describe('the version that is told', () => {
    const configured = (text: string): string => {
      const { values } = parseFlags([`--version=${text}`], { generic: genericFlags, features: featureFlags });
      return genericConfigFromFlags(values.generic, values.features).version.gitVersion;
    };
    it('is the one of --version', () => expect(configured('v1.36.2-custom')).to.equal('v1.36.2-custom'));
    it('is the own one without', () => expect(configured('false')).to.equal('v1.36.2+kubechain'));
    it('is none of another release', () => {
      expect(() => configured('v1.36.3')).to.throw(
        OptionsError,
        '--version: version "v1.36.3" must match major/minor/patch of default version "v1.36.2"',
      );
    });
  });
});
