import { expect } from 'chai';
import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { TemporaryDirectory } from '../testing/temporary-directory.ts';
import { followCertificateFiles, type CertificatePem } from './certificate-files.ts';

describe('followed certificate files', () => {
  let directory: TemporaryDirectory;
  let stop: () => void;
  const applied: string[] = [];
  const write = (cert: string, key: string): void => {
    writeFileSync(directory.file('tls.crt'), cert);
    writeFileSync(directory.file('tls.key'), key);
  };
  const follow = (apply: (pem: CertificatePem) => void): void => {
    stop = followCertificateFiles(
      { certFile: directory.file('tls.crt'), keyFile: directory.file('tls.key') },
      { inUse: { cert: 'one', key: 'key' }, apply, lookMs: 10 },
    );
  };
  beforeEach(() => {
    directory = new TemporaryDirectory();
    applied.length = 0;
  });
  afterEach(() => {
    stop();
    directory[Symbol.dispose]();
  });

  it('applies what changed after it was read, and each change once', async () => {
    write('two', 'key');
    follow(({ cert }) => {
      applied.push(String(cert));
    });
    await delay(60);
    write('three', 'key');
    await delay(60);
    expect(applied).to.deep.equal(['two', 'three']);
  });
  it('goes on after files that are gone or cannot be used', async () => {
    write('one', 'key');
    follow(({ cert }) => {
      applied.push(String(cert));
      if (String(cert) === 'broken') throw new TypeError('no start line');
    });
    rmSync(directory.file('tls.key'));
    await delay(40);
    write('broken', 'key');
    await delay(60);
    write('good', 'key');
    await delay(60);
    expect(applied).to.deep.equal(['broken', 'good']);
  });
});
