import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { APIs } from './apis.tsx';
import { ChainView } from './chain-view.tsx';
import { Charts } from './charts.tsx';
import { ControlView } from './control-view.tsx';
import { Failures } from './failures.tsx';
import type { Model } from './model.ts';
import { RequestDetail } from './request-detail.tsx';
import { Requests } from './requests.tsx';
import { StoreView } from './store-view.tsx';
import { UnderWay } from './under-way.tsx';
import { useModel } from './use-model.ts';
import { Watches } from './watches.tsx';

/** The views, in the order of their keys: 1, 2 and so on. */
const views = [
  ['chain', 'Chain'],
  ['requests', 'Requests'],
  ['charts', 'Over time'],
  ['watches', 'Watches'],
  ['store', 'Store'],
  ['apis', 'APIs'],
  ['failures', 'Failures'],
  ['control', 'Control'],
] as const;
type ViewName = (typeof views)[number][0];

const themes = ['system', 'dark', 'light'] as const;
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);

/** `#view/rest`, so that views can be linked to and gone back from. */
function usePlace(): readonly [view: ViewName, rest: string] {
  const read = (): readonly [ViewName, string] => {
    const [name = '', ...rest] = location.hash.slice(1).split('/');
    const view = views.find(([known]) => known === name)?.[0] ?? 'chain';
    return [view, decodeURIComponent(rest.join('/'))];
  };
  const [place, setPlace] = useState(read);
  useEffect(() => {
    const follow = (): void => setPlace(read());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return place;
}

/** The whole page. */
export function App({ model }: { readonly model: Model }): JSX.Element {
  useModel(model);
  const [view, rest] = usePlace();
  const [search, setSearch] = useState('');
  const [opened, setOpened] = useState('');
  const [theme, setTheme] = useState<string>(localStorage.getItem('theme') ?? 'system');
  const searchBox = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    localStorage.setItem('theme', theme);
    model.changed();
  }, [theme]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') {
        setOpened('');
        if (isTyping(event.target)) (event.target as HTMLElement).blur();
        return;
      }
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const chosen = views[Number(event.key) - 1];
      if (chosen !== undefined) location.hash = chosen[0];
      else if (event.key === '/') searchBox.current?.focus();
      else if (event.key === 'p') model.pause(!model.paused);
      else if (event.key === 't') setTheme((now) => nextTheme(now));
      else if (event.key === 'j' || event.key === 'k') setOpened((now) => neighbour(model, now, event.key === 'j'));
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const request = opened === '' ? undefined : model.find(opened);
  const open = (auditID: string): void => setOpened(auditID);
  return (
    <>
      <header>
        <h1>
          <svg viewBox="0 0 54 20" aria-hidden="true">
            <circle cx="9" cy="10" r="6" />
            <circle cx="27" cy="10" r="6" />
            <circle cx="45" cy="10" r="6" />
            <path d="M15 10h6M33 10h6" />
          </svg>
          kubechain
        </h1>
        <nav aria-label="Views">
          {views.map(([name, title], index) => (
            <a
              key={name}
              href={`#${name}`}
              aria-current={view === name ? 'page' : undefined}
              title={`Key ${index + 1}`}
            >
              {title}
            </a>
          ))}
        </nav>
        <div class="tools">
          <input
            ref={searchBox}
            type="search"
            aria-label="Search requests"
            placeholder="Search  /"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
          <button type="button" aria-pressed={model.paused} title="Key p" onClick={() => model.pause(!model.paused)}>
            {model.paused ? 'Go on' : 'Pause'}
          </button>
          <button
            type="button"
            title="Key t"
            onClick={() => setTheme(nextTheme(theme))}
            aria-label={`Colours: ${theme}`}
          >
            {theme === 'dark' ? '☾' : theme === 'light' ? '☀' : '◐'}
          </button>
          <span class={`state ${model.connected ? 'good' : 'bad'}`} role="status">
            {model.connected ? 'live' : 'not connected'}
          </span>
        </div>
      </header>
      <div class={request === undefined ? 'body' : 'body split'}>
        <main id="main" tabIndex={0}>
          {view === 'chain' && <ChainView model={model} search={search} opened={opened} open={open} />}
          {view === 'requests' && (
            <>
              <UnderWay model={model} search={search} />
              <section class="fill">
                <Requests model={model} search={search} opened={opened} open={open} most={400} filters />
              </section>
            </>
          )}
          {view === 'charts' && <Charts model={model} />}
          {view === 'watches' && <Watches search={search} />}
          {view === 'store' && <StoreView key={rest} place={rest} />}
          {view === 'apis' && <APIs search={search} />}
          {view === 'failures' && <Failures model={model} search={search} open={open} />}
          {view === 'control' && <ControlView />}
        </main>
        {request !== undefined && <RequestDetail model={model} request={request} close={() => setOpened('')} />}
      </div>
    </>
  );
}

function nextTheme(theme: string): string {
  return themes[(themes.findIndex((known) => known === theme) + 1) % themes.length]!;
}

/** The request below or above the open one. */
function neighbour(model: Model, auditID: string, below: boolean): string {
  const { requests } = model;
  const at = requests.findIndex((request) => request.auditID === auditID);
  return requests[Math.max(0, at + (below ? 1 : -1))]?.auditID ?? auditID;
}
