import { expect } from 'chai';
import { rewriteLinks } from './html-links.ts';

const rewritten = async (html: string): Promise<string> =>
  (await rewriteLinks(html, (link) => `<<${link}>>`)).toString();

describe('links of pages', () => {
  const cases: readonly (readonly [name: string, html: string, expected: string])[] = [
    ['in quotes', '<a href="/x" class="y">', '<a href="<</x>>" class="y">'],
    ['in single quotes and without', "<a href='/x'><img src=/y>", "<a href='<</x>>'><img src=<</y>>>"],
    ['in any case, with blanks', '<A\n HREF = "/x">', '<A\n HREF = "<</x>>">'],
    ['several of one tag', '<img src="/a" longdesc="/b">', '<img src="<</a>>" longdesc="<</b>>">'],
    ['of attributes behind empty ones', '<input disabled src="/a">', '<input disabled src="<</a>>">'],
    ['not of other attributes', '<a name="/x">', '<a name="/x">'],
    ['not of other elements', '<p href="/x">', '<p href="/x">'],
    ['not in text', 'href="/x" < a href="/x"', 'href="/x" < a href="/x"'],
    ['not in end tags', '</a href="/x">', '</a href="/x">'],
    ['not where a quote stays open', '<a href="/x', '<a href="/x'],
    ['not of several words', '<a href="a b">', '<a href="a b">'],
  ];
  for (const [name, html, expected] of cases)
    it(`are rewritten ${name}`, async () => {
      expect(await rewritten(html)).to.equal(expected);
    });

  it('are rewritten in parts, between which others are served', async () => {
    const html = '<a href="/é">é</a>'.repeat(1_000);
    let pauses = 0;
    const bytes = await rewriteLinks(
      html,
      (link) => `/x${link}`,
      async () => {
        pauses++;
        await new Promise(setImmediate);
      },
    );
    expect(bytes.toString()).to.equal(html.replaceAll('"/', '"/x/'));
    expect(pauses).to.be.greaterThan(3);
  });

  it('are found in linear time', async () => {
    for (const text of ['<a ', '<a b', '<a href=', "<a href='", '<a href="x" ', '<', '<a b=c ', ' b=c']) {
      const html = `<a${text.repeat(400_000 / text.length)}`;
      const started = process.cpuUsage();
      await rewritten(html);
      const { user, system } = process.cpuUsage(started);
      expect((user + system) / 1_000, text).to.be.lessThan(1_000);
    }
  });
});
