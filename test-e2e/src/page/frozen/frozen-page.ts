import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';

/** What the page of a chain was told once, and is told again here. */
interface FrozenChain {
  readonly facts: object;
  readonly processes: readonly object[];
  readonly loads: readonly { readonly process: string; readonly message: object }[];
  readonly watches: readonly object[];
  readonly requests: readonly { readonly process: string; readonly message: { readonly auditID: string } }[];
}

const chain = JSON.parse(readFileSync(join(import.meta.dirname, 'chain.json'), 'utf8')) as FrozenChain;
const require = createRequire(import.meta.url);

function faceOf(family: string, weight: number, file: string): string {
  const font = readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${file}.ttf`)).toString('base64');
  return `@font-face { font-family: ${family}; font-weight: ${weight}; src: url(data:font/ttf;base64,${font}); }`;
}

/** When all of this has been. */
const then = Date.UTC(2026, 10, 24, 9, 30);
const betweenRequestsMs = 430;

/**
 * Runs in the page before its own scripts: a clock that stands still but for what it is told, and a feed that tells
 * everything at once and nothing more.
 */
const frozenWorld = `{
  const chain = ${JSON.stringify(chain)};
  let now = ${then};
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...given) { super(...(given.length === 0 ? [now] : given)); }
    static now() { return now; }
  };
  const told = new Set();
  globalThis.EventSource = class {
    constructor() { setTimeout(() => this.tell(), 0); }
    tell() {
      this.onopen?.({});
      const say = (message) => this.onmessage?.({ data: JSON.stringify(message) });
      say({ kind: 'processes', processes: chain.processes });
      for (let second = 0; second < 60; second++)
        for (const { message, process } of chain.loads)
          say({
            kind: 'told',
            process,
            message: {
              ...message,
              ended: { get: 20 + (second * 7) % 13, list: 4 + second % 3, create: (second * 5) % 7 },
              processor: 0.08 + ((second * 11) % 9) / 100,
              busy: 0.06 + ((second * 5) % 7) / 100,
            },
          });
      for (const { message, process } of chain.requests) {
        if (!told.has(message.auditID)) now += ${betweenRequestsMs};
        told.add(message.auditID);
        say({ kind: 'told', process, message });
      }
      // What is on its way has arrived.
      now += 60_000;
      say({ kind: 'processes', processes: chain.processes });
    }
    close() {}
  };
}`;

/** The same letters on each machine, nothing that blinks, and no shades, which make pictures three times as large. */
const frozenStyle = `
  ${faceOf('Frozen', 400, 'DejaVuSans')}
  ${faceOf('Frozen', 700, 'DejaVuSans-Bold')}
  ${faceOf('FrozenMono', 400, 'DejaVuSansMono')}
  ${faceOf('FrozenMono', 700, 'DejaVuSansMono-Bold')}
  :root { --mono: FrozenMono; }
  body { font-family: Frozen; background: var(--back); }
  .figures div { background: none; }
  * { transition: none !important; caret-color: transparent !important; }
`;

/** Makes a page show the frozen chain whatever chain it is served by; before it is opened. */
export async function freeze(page: Page): Promise<void> {
  await page.setBypassCSP(true);
  await page.emulateTimezone('UTC');
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: 'dark' },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  await page.evaluateOnNewDocument(frozenWorld);
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const frozen = pathname === '/chain' ? chain.facts : pathname === '/v1/watches' ? { watches: chain.watches } : null;
    void (frozen === null
      ? request.continue()
      : request.respond({ contentType: 'application/json', body: JSON.stringify(frozen) }));
  });
}

/** Gives an opened page its letters. */
export async function dress(page: Page): Promise<void> {
  await page.addStyleTag({ content: frozenStyle });
  await page.evaluate(`Promise.all(
    ['Frozen', 'bold 1em Frozen', 'FrozenMono', 'bold 1em FrozenMono']
      .map((font) => document.fonts.load(font.includes(' ') ? font : '1em ' + font)))`);
}
