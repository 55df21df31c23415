import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { launch, type Browser, type Page } from 'puppeteer-core';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Where screenshots are left for whoever wants to see what the page looked like. */
const screenshots = join(import.meta.dirname, '../../../dist/screenshots');

/** What axe finds wrong. */
interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** How the browser is run: the letters and colours of pictures are the same on each machine. */
const browserFlags = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--hide-scrollbars',
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--force-color-profile=srgb',
];

/** Where a chain says that its page is, in what it has printed; empty when it says nothing of one. */
export const addressIn = (output: string): string => /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec(output)?.[0] ?? '';

/** How a page is opened. */
export interface PageDriverOptions {
  /** Done to the empty page before. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** The chain's page in a real browser. */
export class PageDriver {
  readonly #browser: Browser;
  readonly page: Page;
  /** Errors of scripts, refused resources and violations of the policy, all of which are mistakes. */
  readonly errors: string[] = [];
  /** Addresses of everything that was asked for. */
  readonly asked: string[] = [];

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.page = page;
    page.on('pageerror', (error) => this.errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text());
    });
    page.on('request', (request) => this.asked.push(request.url()));
  }

  /** Opens an address in the distribution's chromium, which has to be installed. */
  static async open(url: string, { prepare }: PageDriverOptions = {}): Promise<PageDriver> {
    const executablePath = execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
    const browser = await launch({ executablePath, args: [...browserFlags] });
    const driver = new PageDriver(browser, await browser.newPage());
    await driver.page.setViewport({ width: 1440, height: 900 });
    await prepare?.(driver.page);
    await driver.page.goto(url);
    return driver;
  }

  /** What an expression of the page says. */
  async ask<T>(expression: string): Promise<T> {
    return (await this.page.evaluate(expression)) as T;
  }

  /** Waits until an expression of the page is true. */
  async until(expression: string, what = expression): Promise<void> {
    for (let i = 0; i < 600; i++) {
      if (await this.ask<boolean>(`Boolean(${expression})`)) return;
      await delay(50);
    }
    throw new Error(`the page has not come to this: ${what}; it shows\n${await this.text()}`);
  }

  /** Waits until the page, or a part of it, shows a text. */
  async shows(text: string, selector = 'body'): Promise<void> {
    await this.until(
      `document.querySelector(${JSON.stringify(selector)})?.innerText.includes(${JSON.stringify(text)})`,
      `${selector} shows ${JSON.stringify(text)}`,
    );
  }

  text(selector = 'body'): Promise<string> {
    return this.ask(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`);
  }

  /** Goes to a view, and waits until it is there. */
  async view(place: string): Promise<void> {
    await this.ask(`location.hash = ${JSON.stringify(place)}`);
    await this.until(`document.querySelector('nav a[aria-current]')?.hash === '#${place.split('/', 1)[0]}'`);
  }

  async key(key: 'Escape' | 'j' | 'k' | 'p' | 't' | '/' | '1' | '4'): Promise<void> {
    await this.page.keyboard.press(key);
  }

  /** Opens the newest request whose row has all of these texts. */
  async openRequest(...texts: readonly string[]): Promise<void> {
    const row = `[...document.querySelectorAll('.requests tbody tr')].find((row) => ${JSON.stringify(
      texts,
    )}.every((text) => row.innerText.includes(text)))`;
    await this.until(row, `a request with ${texts.join(', ')}`);
    await this.ask(`${row}.click()`);
    await this.until(`document.querySelector('aside')`);
  }

  /** Fills a field that a label names, as people do. */
  async fill(label: string, text: string): Promise<void> {
    const field = await this.page.waitForSelector(`::-p-aria([name="${label}"])`);
    await field!.click({ count: 3 });
    await field!.type(text);
  }

  async click(name: string, within = 'body'): Promise<void> {
    const button = `[...document.querySelectorAll(${JSON.stringify(
      `${within} button`,
    )})].find((button) => button.innerText.trim() === ${JSON.stringify(name)})`;
    await this.until(button, `a button ${name}`);
    await this.ask(`${button}.click()`);
  }

  /** What is not accessible, a line each. */
  async findings(): Promise<string[]> {
    await this.page.evaluate(readFileSync(axePath, 'utf8'));
    const found = await this.ask<readonly Finding[]>(`axe.run(document).then(({ violations }) => violations)`);
    return found.flatMap(({ help, id, nodes }) =>
      nodes.map(({ failureSummary = '', html }) => `${id}: ${help}: ${html} ${failureSummary}`),
    );
  }

  /** What the page holds when nothing is left that could be collected. */
  async heapBytes(): Promise<number> {
    const session = await this.page.createCDPSession();
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    await session.detach();
    return usedSize;
  }

  /** What the page's main thread was busy for since it was opened, seconds. */
  async processorSeconds(): Promise<number> {
    return (await this.page.metrics()).TaskDuration ?? 0;
  }

  /** Waits until what the page knows is drawn: it does so five times a second. */
  async drawn(): Promise<void> {
    await this.ask(
      `new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 400))`,
    );
  }

  async screenshot(name: string): Promise<void> {
    mkdirSync(screenshots, { recursive: true });
    await this.page.screenshot({ path: join(screenshots, `${name}.png`) });
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}
