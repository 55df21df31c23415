import { expect } from 'chai';
import { isMissingImage } from './missing-image.ts';

describe('images that say that there is none', () => {
  for (const image of ['foo:non-existent', 'nginx:nonexistent', 'webserver:404', 'a.io/does-not-exist:1'])
    it(image, () => expect(isMissingImage(image)).to.equal(true));
  for (const image of ['nginx', 'nginx:1.404', 'a.io/web4040:1', 'existent:1', 'sha@sha256:404abc'])
    it(`but not ${image}`, () => expect(isMissingImage(image)).to.equal(false));
});
