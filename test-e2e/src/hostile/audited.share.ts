import { expect } from 'chai';
import { createReadStream, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attackSuite } from './attack-suite.ts';
import { auditRows } from './audit-rows.ts';
import { documentRows } from './document-rows.ts';
import { headerRows } from './header-rows.ts';
import { http1Rows } from './http1-rows.ts';
import { administrator, eve } from './rights.ts';
import { uncompared } from './row.ts';
import { knownHeavy } from './rows.ts';

/** Everything that is asked and answered is written down. */
function flags(folder: string): readonly string[] {
  const policy = join(folder, 'policy.json');
  writeFileSync(
    policy,
    JSON.stringify({ kind: 'Policy', apiVersion: 'audit.k8s.io/v1', rules: [{ level: 'RequestResponse' }] }),
  );
  return [`--audit-policy-file=${policy}`, `--audit-log-path=${join(folder, 'audit.log')}`, '--audit-log-maxsize=0'];
}

const others = [...http1Rows, ...headerRows, ...documentRows].filter(({ name }) => !knownHeavy.has(name));
/** Which kube-apiserver answers so, too. */
const failures = new Map([
  ['HTTP/9.9', 'there is no such version'],
  ['apply: a list that is a map', 'kube-apiserver answers 500'],
]);
/** None that ends a line, moves a cursor or is shown by nobody; lines end by line feeds, and columns by tabs. */
// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f]/;

/** By line feeds alone: others take U+2028 for the end of a line, too. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const text of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const [first = '', ...more] = text.split('\n');
    rest += first;
    for (const line of more) {
      yield rest;
      rest = line;
    }
  }
  if (rest !== '') yield rest;
}

attackSuite(
  'attacks on a chain that writes everything down',
  { failures, flags, rows: [...auditRows, ...others.map(uncompared)] },
  (attacked) => {
    it('leave an audit log that is whole, for nobody else, and without tokens', async () => {
      const file = join(attacked.folder(), 'audit.log');
      expect(statSync(file).mode & 0o777).to.equal(0o600);
      let events = 0;
      for await (const line of linesOf(file)) {
        const { kind } = JSON.parse(line) as { readonly kind: string };
        expect(kind).to.equal('Event');
        expect(controls.test(line), line.slice(0, 500)).to.equal(false);
        for (const token of [administrator, eve])
          expect(line.includes(`Bearer ${token}`), 'a token in the audit log').to.equal(false);
        events++;
      }
      expect(events).to.be.greaterThan(1_000);
    });

    it('write no line of their own to the log', () => {
      const lines = attacked.chain().output().split('\n');
      expect(lines.filter((line) => controls.test(line)).map((line) => line.slice(0, 300))).to.deep.equal([]);
      expect(lines.filter((line) => line.startsWith('E0101'))).to.deep.equal([]);
    });
  },
);
