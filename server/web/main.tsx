import './styles/index.css';
import { render } from 'preact';
import { Problem } from './api/problem.ts';
import { redeemKey } from './api/session.ts';
import { language } from './i18n/t.ts';
import { App } from './shell/app.tsx';

const root = document.getElementById('page');
if (root !== null) {
  document.documentElement.lang = language === 'zh' ? 'zh-Hans' : 'en';
  let refused: Problem | undefined;
  try {
    await redeemKey();
  } catch (error) {
    refused = error instanceof Problem ? error : new Problem(0, {}, { cause: error });
  }
  render(<App refused={refused} />, root);
}
