import { expect } from 'chai';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute, type Result } from '../harness/run.ts';

const script = join(import.meta.dirname, '../../../scripts/kind-e2e.sh');
const CREATED = 'kind create cluster';
const DELETED = 'kind delete cluster --name kubechain-e2e';

describe('scripts/kind-e2e.sh', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-kind-script-'));
    symlinkSync(process.execPath, join(folder, 'node'));
    // Nothing else of this machine is on the path: it may have what a test takes away.
    for (const program of ['bash', 'dirname', 'grep', 'mktemp', 'rm'])
      symlinkSync(`${existsSync(`/bin/${program}`) ? '' : '/usr'}/bin/${program}`, join(folder, program));
    for (const program of ['docker', 'kind', 'helm', 'kubectl', 'curl']) standIn(program, '');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** A program that writes down what it is asked, and then runs a line of shell. */
  function standIn(program: string, line: string): void {
    const file = join(folder, program);
    writeFileSync(file, `#!${folder}/bash\necho "${program} $*" >>"${join(folder, 'asked')}"\n${line}\n`);
    chmodSync(file, 0o755);
  }

  async function run(env: Readonly<Record<string, string>> = {}): Promise<Result & { readonly asked: string }> {
    writeFileSync(join(folder, 'asked'), '');
    const result = await execute('bash', [script], {
      env: { PATH: folder, TMPDIR: folder, ...env },
    });
    return { ...result, asked: readFileSync(join(folder, 'asked'), 'utf8') };
  }

  it('leaves a cluster alone that it has not made', async () => {
    standIn('kind', '[ "$1" = get ] && echo kubechain-e2e; exit 0');
    const { code, stderr, asked } = await run();
    expect(code).to.equal(1);
    expect(stderr).to.include('there is a kind cluster kubechain-e2e already');
    expect(asked).to.equal('kind get clusters\n');
  });

  it('deletes what it has made when something fails, and shows what was there', async () => {
    standIn('helm', 'exit 3');
    const { code, asked } = await run();
    expect(code).to.equal(3);
    const shown = 'kubectl -n planes get pods [^]*kubectl -n planes get events ';
    expect(asked).to.match(new RegExp(`${CREATED}[^]*helm upgrade --install[^]*${shown}[^]*${DELETED}`));
  });

  it('names a program that is missing before it builds anything', async () => {
    rmSync(join(folder, 'helm'));
    const { code, stderr, asked } = await run();
    expect(code).to.equal(1);
    expect(stderr).to.equal('not installed: helm\n');
    expect(asked).to.equal('');
  });

  it('takes an image without a tag for the latest', async () => {
    standIn('helm', 'exit 3');
    const { asked } = await run({ IMAGE: 'localhost:5000/kubechain' });
    expect(asked).to.include('docker build -t localhost:5000/kubechain:latest .');
    expect(asked).to.include('image.repository=localhost:5000/kubechain,image.tag=latest');
  });
});
