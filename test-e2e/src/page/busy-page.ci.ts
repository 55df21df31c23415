import { expect } from 'chai';
import { PageDriver } from './page-driver.ts';
import { ToldChain } from './told-chain.ts';

const perSecond = 10_000;
const newest = `Math.max(0, ...[...document.querySelectorAll('.requests tbody tr')]
  .map((row) => Number(/told-(\\d+)/.exec(row.innerText)?.[1] ?? 0)))`;
const elements = `document.querySelectorAll('*').length`;

describe('the page while 10,000 requests a second are told', function () {
  this.timeout(180_000);
  const chain = new ToldChain();
  let page: PageDriver;

  before(async () => {
    page = await PageDriver.open(await chain.start());
    await page.shows('live');
  });
  after(async () => {
    await page?.close();
    await chain.close();
  });

  it('shows them as they come, takes keys, and does not grow', async () => {
    await page.view('requests');
    // As many as it keeps, of all kinds.
    await chain.tell(perSecond, 5_000);
    const settled = { bytes: await page.heapBytes(), elements: await page.ask<number>(elements) };
    const usedBefore = await page.processorSeconds();
    const startedMs = performance.now();
    const telling = chain.tell(perSecond, 15_000);
    await page.until(`${newest} > ${chain.told + perSecond}`, 'requests of now');
    await page.key('1');
    await page.until(`location.hash === '#chain'`);
    await page.shows('10,000', '.servers');
    await page.view('charts');
    await page.until(`document.querySelectorAll('.chart canvas').length >= 8`);
    await page.view('requests');
    await telling;
    const seconds = (performance.now() - startedMs) / 1_000;
    const used = (await page.processorSeconds()) - usedBefore;
    // What was too much was left out; nothing of it waits, and the next one is shown.
    await page.until(`${newest} > ${chain.told - 5 * perSecond}`, 'the last ones told');
    await chain.tell(10, 100);
    await page.until(`${newest} === ${chain.told - 1}`, 'the next one told');
    const bytes = await page.heapBytes();
    const grown = await page.ask<number>(elements);
    console.log(
      `      ${chain.told} requests told; heap ${settled.bytes} to ${bytes} bytes, elements ${settled.elements} to ` +
        `${grown}, ${used.toFixed(1)} s of the page's thread in ${seconds.toFixed(1)} s`,
    );
    // Figures leave nothing out.
    await page.view('chain');
    await page.shows((chain.told - 1).toLocaleString('en'));
    expect(bytes).to.be.lessThan(settled.bytes * 1.2 + 2_000_000);
    expect(grown).to.be.lessThan(settled.elements * 1.2 + 100);
    expect(page.errors).to.deep.equal([]);
  });
});
