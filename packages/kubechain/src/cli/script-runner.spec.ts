import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { followScriptRunner, type ProcessFacts } from './script-runner.ts';

const env = { npm_lifecycle_event: 'start', npm_lifecycle_script: 'kubechain up && true' };

/** Processes by id; the one under test has parent 10. */
function watch(
  processes: Map<number, ProcessFacts>,
  more: { readonly env?: Record<string, string> } = {},
): { readonly state: { parent: number; gone: number }; readonly stop: () => void } {
  const state = { parent: 10, gone: 0 };
  const stop = followScriptRunner(
    () => {
      state.gone++;
    },
    { env, parentPid: () => state.parent, facts: (pid) => Promise.resolve(processes.get(pid)), lookMs: 2, ...more },
  );
  return { state, stop };
}

describe('the runner of the script that we are', () => {
  const npm = (): Map<number, ProcessFacts> =>
    new Map([
      [10, { parent: 9, command: 'npm start' }],
      [9, { parent: 1, command: 'bash' }],
    ]);
  const shell = (): Map<number, ProcessFacts> =>
    new Map([
      [10, { parent: 9, command: 'sh' }],
      [9, { parent: 8, command: 'npm start' }],
    ]);

  it('is missed once when it was our parent', async () => {
    const { state } = watch(npm());
    await delay(20);
    expect(state.gone).to.equal(0);
    state.parent = 1;
    await delay(20);
    expect(state.gone).to.equal(1);
  });

  it('is missed when only the shell in between is left', async () => {
    const processes = shell();
    const { state } = watch(processes);
    await delay(20);
    processes.set(10, { parent: 1, command: 'sh' });
    await delay(20);
    expect(state.gone).to.equal(1);
  });

  it('may lose its own parent: that is no business of ours', async () => {
    const processes = npm();
    const { state, stop } = watch(processes);
    await delay(10);
    processes.set(10, { parent: 1, command: 'npm start' });
    await delay(20);
    stop();
    expect(state.gone).to.equal(0);
  });

  for (const [name, given] of [
    ['by hand', {}],
    ['into the background', { ...env, npm_lifecycle_script: 'kubechain up & sleep 1' }],
    ['to outlive everybody', { ...env, npm_lifecycle_script: 'nohup kubechain up > log 2>&1' }],
  ] as const) {
    it(`is nobody when we were started ${name}`, async () => {
      const { state } = watch(npm(), { env: given });
      state.parent = 1;
      await delay(20);
      expect(state.gone).to.equal(0);
    });
  }

  it('is found through the system', async () => {
    const module = fileURLToPath(new URL('./script-runner.ts', import.meta.url));
    const script =
      `import { followScriptRunner } from ${JSON.stringify(module)}; followScriptRunner(() => { ` +
      `console.log('gone'); process.exit(); }, { lookMs: 20 }); setTimeout(() => {}, 20_000); ` +
      `console.log('here');`;
    // A shell that stays between us and the program, as npm's does.
    const runner = spawn('sh', ['-c', '"$0" --input-type=module -e "$1"; true', process.execPath, script], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    const ended = new Promise((resolve) => {
      runner.stdout
        .on('data', (chunk: Buffer) => {
          output += chunk.toString();
        })
        .on('close', resolve);
    });
    while (!output.includes('here')) await delay(10);
    runner.kill('SIGKILL');
    await ended;
    expect(output).to.equal('here\ngone\n');
  });
});
