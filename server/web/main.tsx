import './styles/index.css';
import { render } from 'preact';
import { openSession } from './api/session.ts';
import { language, loadTexts } from './i18n/t.ts';
import { App } from './shell/app.tsx';

const root = document.getElementById('page');
if (root !== null) {
  document.documentElement.lang = language === 'zh' ? 'zh-Hans' : 'en';
  await Promise.all([loadTexts(), openSession()]);
  render(<App />, root);
}
