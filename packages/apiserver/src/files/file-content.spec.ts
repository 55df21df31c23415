import { expect } from 'chai';
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { configureLogging } from '../logging/logger.ts';
import { FileContent } from './file-content.ts';

describe('content of files', () => {
  let folder: string;
  let nowMs: number;
  const file = (name: string): string => join(folder, name);
  const follow = (name: string): FileContent<string> =>
    new FileContent({
      paths: [file(name)],
      now: () => nowMs,
      read: () => {
        const text = readFileSync(file(name), 'utf8');
        if (text === 'broken') throw new TypeError('broken');
        return text;
      },
    });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-files-'));
    nowMs = 0;
    configureLogging({ verbosity: 0, format: 'text', components: new Map(), write: () => undefined });
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    configureLogging({ verbosity: 0, format: 'text', components: new Map() });
  });

  it('is read again when the files change, and looked at every five seconds', () => {
    writeFileSync(file('a'), 'one');
    const content = follow('a');
    expect(content.current).to.equal('one');
    writeFileSync(file('a'), 'three');
    nowMs = 4_999;
    expect(content.current).to.equal('one');
    nowMs = 5_000;
    expect(content.current).to.equal('three');
  });
  it('follows links, as mounted Secrets change', () => {
    writeFileSync(file('v1'), 'one');
    writeFileSync(file('v2'), 'two');
    symlinkSync('v1', file('data'));
    const content = follow('data');
    symlinkSync('v2', file('new'));
    renameSync(file('new'), file('data'));
    nowMs = 5_000;
    expect(content.current).to.equal('two');
  });
  it('stays when files are gone or broken, and goes on when they are good', () => {
    writeFileSync(file('a'), 'one');
    const content = follow('a');
    rmSync(file('a'));
    nowMs = 5_000;
    expect(content.current).to.equal('one');
    writeFileSync(file('a'), 'broken');
    nowMs = 10_000;
    expect(content.current).to.equal('one');
    writeFileSync(file('a'), 'good');
    nowMs = 15_000;
    expect(content.current).to.equal('good');
  });
  it('is told to those who follow it, by timer or because somebody asked, until they stop', async () => {
    writeFileSync(file('a'), 'one');
    const content = follow('a');
    let stop = (): void => undefined;
    const next = (intervalMs: number): Promise<string> =>
      new Promise((resolve) => {
        stop = content.follow(resolve, intervalMs);
      });
    const byTimer = next(5);
    // Before the first look of the timer: what was there when the content was made is what counts.
    writeFileSync(file('a'), 'three');
    expect(await byTimer).to.equal('three');
    stop();
    const asked = next(60_000);
    writeFileSync(file('b'), 'seven');
    renameSync(file('b'), file('a'));
    nowMs = 5_000;
    expect(content.current).to.equal('seven');
    expect(await asked).to.equal('seven');
    stop();
  });
  it('says nothing to those who follow it while nothing changes, and while a file is away', async () => {
    writeFileSync(file('a'), 'one');
    const content = follow('a');
    let calls = 0;
    const stop = content.follow(() => {
      calls++;
    }, 2);
    await delay(20);
    rmSync(file('a'));
    await delay(20);
    stop();
    expect(calls).to.equal(0);
  });
  it('cannot begin with what cannot be read', () => {
    expect(() => follow('missing')).to.throw('ENOENT');
  });
});
