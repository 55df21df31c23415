import { expect } from 'chai';
import { startChain, type Chain } from '../harness/chain.ts';
import { dress, freeze } from './frozen/frozen-page.ts';
import { PageDriver } from './page-driver.ts';
import { expectPicture } from './pictures.ts';

/** What of a view runs off its right edge: boxes that are wider than what they stand in. */
const cutOff = `[...document.querySelectorAll('.waterfall .name, main .table')]
  .filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.innerText.slice(0, 80))`;

describe('pictures of the page, of what it was told once', function () {
  this.timeout(180_000);
  let chain: Chain;
  let page: PageDriver;

  before(async () => {
    chain = await startChain({ flags: ['--ui'] });
    const address = /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec(chain.output())?.[0] ?? '';
    page = await PageDriver.open(address, { prepare: freeze });
    await page.page.setViewport({ width: 1200, height: 760 });
    await dress(page.page);
    await page.shows('live');
  });
  after(async () => {
    await page?.close();
    await chain?.stop();
  });

  const picture = async (name: string): Promise<void> => {
    await page.drawn();
    expectPicture(name, await page.page.screenshot());
  };

  it('show the chain', async () => {
    await page.view('chain');
    await page.until(`document.querySelectorAll('.servers .dot.good').length === 3`);
    await picture('page-chain');
  });

  it('show requests that failed together; no list runs off its edge', async () => {
    await page.view('requests');
    await page.shows('ships');
    expect(await page.ask(cutOff), 'requests').to.deep.equal([]);
    await page.view('failures');
    await page.shows('pods');
    await picture('page-failures');
    await page.view('watches');
    await page.shows('47');
    expect(await page.ask(cutOff), 'watches').to.deep.equal([]);
  });

  it('follow one request', async () => {
    await page.view('requests');
    await page.openRequest('create', 'ships', '201');
    await page.shows('flags.harbour.example.com', '.waterfall');
    expect(await page.ask(cutOff)).to.deep.equal([]);
    await picture('request-way');
    await page.ask(`[...document.querySelectorAll('aside h3')].find(({ textContent }) => textContent === 'Admission')
      .scrollIntoView()`);
    await picture('request-changes');
    await page.key('Escape');
  });

  it('fit a narrow window', async () => {
    await page.page.setViewport({ width: 420, height: 760 });
    for (const view of ['requests', 'watches', 'failures']) {
      await page.view(view);
      await page.drawn();
      expect(await page.ask(cutOff), view).to.deep.equal([]);
    }
    await page.view('requests');
    await picture('page-narrow');
    await page.openRequest('create', 'ships', '201');
    expect(await page.ask(cutOff)).to.deep.equal([]);
    await page.key('Escape');
    await page.page.setViewport({ width: 1200, height: 760 });
  });

  it('show the page in daylight', async () => {
    await page.page.emulateMediaFeatures([
      { name: 'prefers-color-scheme', value: 'light' },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ]);
    await page.view('requests');
    await page.openRequest('create', 'ships', '201');
    await picture('request-light');
  });
});
