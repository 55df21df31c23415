import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definitionNames } from '@kubechain/apimachinery';
import { PackageDescriptions } from './package-descriptions.ts';
import { recordDescriptions, RecordedDescriptions } from './recorded-descriptions.ts';

describe('recorded descriptions', () => {
  it('say what the packages say, of every definition and parameter', function () {
    this.timeout(60_000);
    const folder = mkdtempSync(join(tmpdir(), 'kubechain-descriptions-'));
    try {
      const packages = new PackageDescriptions();
      const file = join(folder, 'descriptions.json');
      writeFileSync(file, recordDescriptions(packages));
      const recorded = new RecordedDescriptions(file);
      let described = 0;
      for (const name of definitionNames()) {
        const expected = packages.definition(name);
        expect(recorded.definition(name), name).to.deep.equal(expected);
        if (expected?.description !== undefined) described++;
      }
      expect(described).to.be.above(500);
      const podLog = 'io.k8s.api.core.v1.PodLogOptions';
      expect(recorded.parameter('follow', podLog)).to.be.a('string').and.equal(packages.parameter('follow', podLog));
      expect(recorded.parameter('nope')).to.equal(undefined);
      expect(recorded.definition('nope')).to.equal(undefined);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
