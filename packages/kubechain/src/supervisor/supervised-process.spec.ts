import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessEvent } from './process-event.ts';
import { SupervisedProcess } from './supervised-process.ts';

const beats = `process.on('SIGTERM', () => process.exit(0));
console.error('its own line');
process.send({ kind: 'ready' });
process.channel.ref();`;

describe('a supervised process', function () {
  this.timeout(120_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-supervised-'));
    writeFileSync(join(folder, 'main.mjs'), beats);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  async function killed(args: readonly string[]): Promise<{ readonly events: ProcessEvent[]; readonly log: string }> {
    const logFile = join(folder, 'one.log');
    const events: ProcessEvent[] = [];
    const again = Promise.withResolvers<void>();
    const supervised = new SupervisedProcess(
      {
        name: 'one',
        main: join(folder, 'main.mjs'),
        args,
        logFile,
        pidFile: join(folder, 'one.pid'),
        readiness: 'ipc',
      },
      {
        minDelayMs: 1,
        probeIntervalMs: 50,
        probePatience: 4,
        onEvent: (event) => {
          events.push(event);
          if (event.kind === 'ready' && event.restarts === 1) again.resolve();
        },
      },
    );
    await supervised.firstReady;
    process.kill(supervised.pid!, 'SIGSTOP');
    await again.promise;
    await supervised.stop(10_000);
    return { events, log: readFileSync(logFile, 'utf8') };
  }

  it('is killed when it is stopped, and what was decided is in its log', async () => {
    const { events, log } = await killed([]);
    expect(events.map(({ kind }) => kind)).to.deep.equal(['ready', 'stuck', 'ended', 'ready']);
    expect(events[2]).to.have.nested.property('exit.lastLine', 'its own line');
    const decided = log.split('\n').filter((line) => line.includes(' supervisor] '));
    expect(decided).to.have.length(3);
    expect(decided[0]).to.match(
      /^E\d{4} .* supervisor\] "the process does not answer; killing it" silentMs=\d+ starvedMs=\d+$/,
    );
    expect(decided[1]).to.match(/"the process has ended; starting it again" ended="by SIGKILL" restartInMs=1$/);
    expect(decided[2]).to.match(/^I.*"the process is ready again" afterMs=\d+ restarts=1$/);
  });

  it('has it in its log in the form of that', async () => {
    for (const args of [['--logging-format=json'], ['--logging-format', 'json']]) {
      rmSync(join(folder, 'one.log'), { force: true });
      const { events, log } = await killed(args);
      const own = log.split('\n').filter((line) => line.startsWith('{'));
      expect(own.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal([
        'the process does not answer; killing it',
        'the process has ended; starting it again',
        'the process is ready again',
      ]);
      expect(events[2]).to.have.nested.property('exit.lastLine', 'its own line');
    }
  });
});
