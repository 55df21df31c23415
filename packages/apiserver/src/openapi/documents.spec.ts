import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { documentV3 } from './document-v3.ts';
import { PackageDescriptions } from './package-descriptions.ts';
import { groupRoute } from './server-routes.ts';
import { goJSON } from './stored-document.ts';

describe('descriptions', () => {
  it('are there for types that are only texts or numbers', () => {
    const { description = '' } =
      new PackageDescriptions().definition('io.k8s.apimachinery.pkg.api.resource.Quantity') ?? {};
    expect(description).to.match(
      /^Quantity is a fixed-point representation of a number\..*\n\n\t\(Note that 1024 = 1Ki/s,
    );
  });

  it('do not end in the tag of what is deprecated', () => {
    const { description = '' } = new PackageDescriptions().definition('io.k8s.api.core.v1.EndpointsList') ?? {};
    expect(description).to.match(/deprecated in v1\.33\+\.$/);
  });
});

describe('documentV3', () => {
  it('has the bytes of the reference, so that hashes agree', () => {
    const document = documentV3([groupRoute('apiregistration.k8s.io')], {
      descriptions: new PackageDescriptions(),
      info: { title: 'Kubernetes', version: '1.36' },
    });
    expect(createHash('sha512').update(goJSON(document)).digest('hex').toUpperCase()).to.equal(
      '138E7E1D1D3DC78A4A85D66CC2B341E90CA12602C03159EBA6C3D0030C07622AC84DB792B17F8E307DA9CA8493724810B524D19' +
        '86F9BE1733CD04084C46C31E9',
    );
  });
});
