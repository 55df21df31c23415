import { expect } from 'chai';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { knownPlugins } from '@kubechain/apiserver/servers';
import { missingMetrics } from './missing-metrics.ts';
import { parityDocument, referenceMetrics, referencePlugins, shownMetrics } from './parity-document.ts';

const root = join(import.meta.dirname, '../../..');
/** prom-client has these by itself. */
const ofTheProcess = /^process_/;
/** What names of the sources are put together of. */
const beginnings = /^(?:apiserver_flowcontrol_|apiserver_storage_|apiserver_envelope_encryption_)/;

describe('what there is of the reference', () => {
  it('is every admission plugin, with its default', () => {
    const known = knownPlugins.filter(({ name }) => name !== 'PodPreset');
    expect(known.map(({ name }) => name).sort()).to.deep.equal([...referencePlugins.all].sort());
    expect(known.filter(({ onByDefault }) => onByDefault).map(({ name }) => name)).to.deep.equal(
      referencePlugins.onByDefault,
    );
  });

  describe('of metrics', () => {
    const sources = globSync('packages/*/src/**/*.ts', { cwd: root })
      .filter((name) => !name.endsWith('.spec.ts'))
      // What a comment names is not counted by it.
      .map((name) => readFileSync(join(root, name), 'utf8').replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, ''))
      .join('\n');

    it('is counted somewhere', () => {
      const isThere = (name: string): boolean => {
        const rest = name.replace(beginnings, '');
        const written = [name, `'${rest}'`, `}_${rest}\``];
        return ofTheProcess.test(name) || written.some((text) => sources.includes(text));
      };
      expect(shownMetrics().flatMap(([name]) => (isThere(name) ? [] : [name]))).to.deep.equal([]);
    });

    it('is not said to be missing when it is there, nor when the reference has none', () => {
      const missing = missingMetrics.flatMap(([, names]) => names);
      const counted = new RegExp(`'(?:${missing.join('|')})'`, 'g');
      expect(sources.match(counted) ?? []).to.deep.equal([]);
      expect(missing.filter((name) => referenceMetrics[name] === undefined)).to.deep.equal([]);
    });
  });

  it('is told in docs/reference-parity.md', () => {
    const path = join(root, 'docs/reference-parity.md');
    const text = parityDocument();
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path, text);
    expect(readFileSync(path, 'utf8')).to.equal(text);
  });
});
