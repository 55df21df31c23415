import { expect } from 'chai';
import { builtinRelease, loadRelease } from '@kubechain/apimachinery';
import type { Release } from '@kubechain/apimachinery';
import type { DescriptionSource } from './built-in-schema.ts';
import { releaseDescriptions } from './release-descriptions.ts';

const core = 'io.k8s.api.core.v1.';
/** A source that says the same of every definition, and of the fields `name` and `hostnameOverride`. */
const source: DescriptionSource = {
  definition: (name) => ({
    description: `about ${name}`,
    fields: new Map([
      ['name', 'a name'],
      ['hostnameOverride', 'a host'],
    ]),
  }),
  parameter: (name) => `about ${name}`,
};

describe('descriptions of a release', () => {
  let release: Release;
  before(async () => {
    release = (await loadRelease('1.37')) as Release;
  });

  it('are those of the source in the default release', () => {
    expect(releaseDescriptions(builtinRelease, source)).to.equal(source);
  });

  it('have the texts that the release has otherwise, and those of fields that are new', () => {
    const { description, fields } = releaseDescriptions(release, source).definition(`${core}PodSpec`) ?? {};
    expect(description).to.equal(`about ${core}PodSpec`);
    expect(fields?.get('name')).to.equal('a name');
    expect(fields?.get('hostnameOverride')).to.be.a('string').and.not.equal('a host');
    expect(fields?.get('evictionResponders')).to.be.a('string');
  });

  it('have those of definitions that the source does not know', () => {
    const texts = releaseDescriptions(release, { ...source, definition: () => undefined });
    const found = texts.definition('io.k8s.api.resource.v1.DeviceTaintRule');
    expect(found?.description).to.be.a('string');
    expect(texts.definition(`${core}Nothing`)).to.equal(undefined);
  });

  it('lack what the release says nothing of', () => {
    const rows = [[`${core}Pod`, { '': null, name: null }]];
    const texts = releaseDescriptions({ table: () => rows } as unknown as Release, source);
    expect(texts.definition(`${core}Pod`)).to.deep.equal({ fields: new Map([['hostnameOverride', 'a host']]) });
    expect(texts.parameter('pretty')).to.equal('about pretty');
  });
});
