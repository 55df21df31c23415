import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './page.css';
import { App } from './app.tsx';
import { followFeed, Model } from './model.ts';
import type { ChainFacts } from '../src/page/feed-messages.ts';

const model = new Model();
render(<App model={model} />, document.getElementById('page')!);
const facts = await fetch('/chain');
model.facts = (await facts.json()) as ChainFacts;
followFeed(model);
