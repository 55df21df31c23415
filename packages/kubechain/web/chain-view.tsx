import type { JSX } from 'preact';
import type { ProcessState } from '../src/page/feed-messages.ts';
import { bytes, milliseconds, number, percent, seconds } from './format.ts';
import { frontOf, type LoadPoint, type Model } from './model.ts';
import { quantiles, ratesOf } from './statistics.ts';
import { Requests } from './requests.tsx';
import { Spark } from './spark.tsx';
import { UnderWay } from './under-way.tsx';

interface ChainViewOptions {
  readonly model: Model;
  readonly search: string;
  readonly opened: string;
  readonly open: (auditID: string) => void;
}

/** How long a request is seen on its way. */
const travelMs = 1_500;
/** Requests seen on their way at the same time. */
const mostTravellers = 14;

/** The processes, what goes through them, and the newest requests. */
export function ChainView({ model, open, opened, search }: ChainViewOptions): JSX.Element {
  const servers = model.facts?.servers ?? [];
  const others = model.processes.filter(({ name }) => !servers.includes(name));
  const first = model.loads.get(model.first) ?? [];
  const [half, , most] = quantiles(first.slice(-10), model.facts?.latencyBoundsMs ?? []);
  return (
    <>
      <section class="figures" aria-label="Now">
        <Figure name="requests a second" value={number(ratesOf(first).at(-1) ?? 0)} />
        <Figure name="half took at most" value={first.length === 0 ? '–' : milliseconds(half)} />
        <Figure name="99 % took at most" value={first.length === 0 ? '–' : milliseconds(most)} />
        <Figure name="failed, last minute" value={number(sum(first.slice(-60), ({ load }) => load.failed))} />
        <Figure name="since the page is open" value={number(model.total)} />
      </section>
      <section class="chain" aria-label="Processes">
        <Travellers model={model} />
        <ol class="servers">
          {servers.map((name) => (
            <li key={name}>
              <Server
                name={name}
                state={model.processes.find((process) => process.name === name)}
                points={model.loads.get(name) ?? []}
              />
            </li>
          ))}
        </ol>
        {others.length > 0 && (
          <ul class="others">
            {others.map((process) => (
              <li key={process.name} class="card small">
                <h2>
                  <span class={`dot ${process.pid === undefined ? 'bad' : 'good'}`} /> {process.name}
                </h2>
                <span>{process.pid === undefined ? 'does not run' : `pid ${process.pid}`}</span>
                {process.rssBytes === undefined ? null : <span>{bytes(process.rssBytes)}</span>}
                {process.processorSeconds === undefined ? null : (
                  <span>{seconds(process.processorSeconds)} of processor</span>
                )}
              </li>
            ))}
          </ul>
        )}
      </section>
      <UnderWay model={model} search={search} />
      <section class="fill">
        <Requests model={model} search={search} opened={opened} open={open} most={60} />
      </section>
    </>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div>
      <b>{value}</b>
      <span>{name}</span>
    </div>
  );
}

function Server({
  name,
  points,
  state,
}: {
  readonly name: string;
  readonly state: ProcessState | undefined;
  readonly points: readonly LoadPoint[];
}): JSX.Element {
  const load = points.at(-1)?.load;
  const health = state?.health;
  const good = health?.kind === 'ready';
  return (
    <article class="card">
      <h2>
        <span class={`dot ${health === undefined ? '' : good ? 'good' : 'bad'}`} /> {name}
      </h2>
      <p class="dim">
        {health === undefined
          ? 'is asked'
          : good
            ? `ready, ${health.checks} checks pass`
            : health.problems.join(', ').slice(0, 120) || health.kind}
      </p>
      <Spark values={ratesOf(points).slice(-120)} label={`Requests a second of ${name}`} />
      <dl class="load">
        <dt>requests</dt>
        <dd>{number(ratesOf(points).at(-1) ?? 0)} /s</dd>
        <dt>processor</dt>
        <dd>{load === undefined ? '–' : percent(load.processor)}</dd>
        <dt>loop busy</dt>
        <dd>{load === undefined ? '–' : percent(load.busy)}</dd>
        <dt>loop delay</dt>
        <dd title="99 %, and the worst of the last second">
          {load === undefined ? '–' : `${milliseconds(load.delayMs[1])}, ${milliseconds(load.delayMs[2])}`}
        </dd>
        <dt>memory</dt>
        <dd>{load === undefined ? '–' : bytes(load.rssBytes)}</dd>
        <dt>heap</dt>
        <dd>{load === undefined ? '–' : bytes(load.heapUsedBytes)}</dd>
        <dt>cached</dt>
        <dd title="Objects in watch caches, and events that watches can begin at">
          {load === undefined ? '–' : `${number(load.caches.objects)}, ${number(load.caches.events)}`}
        </dd>
        <dt>link</dt>
        <dd title="How the next process is reached, and how many requests it has at the moment">{linkOf(load)}</dd>
      </dl>
      <p class="dim">
        {load === undefined ? '' : `pid ${load.pid}, node ${load.node}, up ${seconds(load.uptimeSeconds)}`}
      </p>
    </article>
  );
}

const ways = { link: 'open', http: 'HTTP', silent: 'silent' } as const;

/** How the next process is reached: not at all from the last one, and in one process. */
function linkOf(load: LoadPoint['load'] | undefined): string {
  if (load?.delegate === undefined) return '–';
  const { underWay, way } = load.delegate;
  return `${ways[way]}, ${number(underWay)}`;
}

/** Requests of the last moments, on their way: each goes as far as the process that answered it. */
function Travellers({ model }: { readonly model: Model }): JSX.Element {
  const servers = model.facts?.servers ?? [];
  const now = Date.now();
  const lately = model.requests.filter(({ atMs }) => now - atMs < travelMs).slice(0, mostTravellers);
  return (
    <div class="way" aria-hidden="true">
      <span class="client">clients</span>
      <span class="line">
        {lately.map((request, index) => {
          const { code } = frontOf(request, model.first);
          const reached = servers.findLastIndex((name) => request.parts.has(name));
          return (
            <i key={request.auditID} class={`traveller to${reached} lane${index % 5} ${code >= 400 ? 'bad' : ''}`} />
          );
        })}
      </span>
    </div>
  );
}

function sum(points: readonly LoadPoint[], of: (point: LoadPoint) => number): number {
  return points.reduce((total, point) => total + of(point), 0);
}
