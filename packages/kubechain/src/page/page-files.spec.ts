import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { buildPage, type PageFiles } from './page-files.ts';

/** What the page may weigh on its way to the browser, compressed. */
const mostBytes = 150_000;

describe('the files of the page', function () {
  // esbuild starts a process.
  this.timeout(30_000);
  let files: PageFiles;
  before(async () => {
    files = await buildPage();
  });

  it('weigh less than 150 kB compressed, all together', () => {
    const bytes = [files.script, files.style, files.document].map((text) => gzipSync(text).length);
    expect(bytes.every((count) => count > 100)).to.equal(true);
    expect(bytes.reduce((sum, count) => sum + count)).to.be.lessThan(mostBytes);
  });

  it('name no address elsewhere that a browser would ask', () => {
    expect(files.document).to.not.match(/(?:src|href)="(?:https?:)?\/\//);
    expect(files.style).to.not.match(/url\((?!["']?data:)/);
  });
});
