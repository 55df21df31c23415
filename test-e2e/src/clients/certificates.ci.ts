import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { certificateChainProblem, pemBlocks } from '@kubechain/apiserver/certificates';
import { goTool } from '../harness/go-tools.ts';
import { givenSeed } from '../fuzz/given-seed.ts';

const clientAuth = '1.3.6.1.5.5.7.3.2';

interface Chain {
  readonly leaf: string;
  readonly intermediates: readonly string[];
  readonly roots: readonly string[];
  readonly timeMs: number;
  readonly problem: string;
}

/** What Go's errors begin with tells what it found; details differ in how numbers and names are shown. */
const kinds = [
  'certificate has expired or is not yet valid',
  'certificate specifies an incompatible key usage',
  'is not authorized to sign',
  'too many intermediates',
  'unhandled critical extension',
  'signed by unknown authority',
];

describe('certificates beside Go', function () {
  this.timeout(600_000);
  const seed = givenSeed();

  it(`judges chains as crypto/x509 does (seed ${seed})`, async () => {
    const { stdout, status } = spawnSync(await goTool('certificates'), ['chains', String(seed), '4000'], {
      maxBuffer: 1 << 30,
      encoding: 'utf8',
    });
    expect(status).to.equal(0);
    const chains = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Chain);
    const certificate = (der: string): X509Certificate => new X509Certificate(Buffer.from(der, 'base64'));
    const differing = chains.filter((chain) => {
      const ours = certificateChainProblem(certificate(chain.leaf), {
        roots: chain.roots.map(certificate),
        intermediates: chain.intermediates.map(certificate),
        nowMs: chain.timeMs,
        extendedKeyUsage: clientAuth,
      });
      return (ours === undefined) !== (chain.problem === '');
    });
    expect(differing.slice(0, 3)).to.deep.equal([]);
    // A comparison of what is always refused would tell nothing.
    expect(chains.filter(({ problem }) => problem === '').length).to.be.greaterThan(400);
    for (const kind of kinds)
      expect(chains.filter(({ problem }) => problem.includes(kind)).length, kind).to.be.greaterThan(10);
  });

  it(`reads PEM as encoding/pem does (seed ${seed})`, async () => {
    const parts = [
      '-----BEGIN ',
      '-----END ',
      'CERTIFICATE',
      'X',
      '-----',
      '\n',
      '\r\n',
      ' ',
      '\t',
      'QUJD',
      'QUI=',
      'QQ==',
      '=',
      'A',
      'key: value',
      ':',
      'é',
      '-----BEGIN X-----\n',
      '-----END X-----\n',
      '-----BEGIN X-----\nQUJD\n-----END X-----',
    ];
    let state = seed;
    const next = (bound: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (state >> 8) % bound;
    };
    const texts = Array.from({ length: 20_000 }, () =>
      Buffer.from(Array.from({ length: 1 + next(12) }, () => parts[next(parts.length)]).join('')),
    );
    const input = texts.map((text) => `${text.toString('base64')}\n`).join('');
    const { stdout } = spawnSync(await goTool('certificates'), ['pem'], {
      input,
      maxBuffer: 1 << 30,
      encoding: 'utf8',
    });
    const answers = stdout.trimEnd().split('\n');
    expect(answers).to.have.length(texts.length);
    let read = 0;
    texts.forEach((text, i) => {
      const ours = [...pemBlocks(text)].map((block) => ({ ...block, bytes: block.bytes.toString('base64') }));
      read += ours.length;
      expect(ours, JSON.stringify(text.toString())).to.deep.equal(JSON.parse(answers[i]!));
    });
    expect(read).to.be.greaterThan(300);
  });
});
