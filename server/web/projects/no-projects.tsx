import { t } from '../i18n/t.ts';
import { EmptyNote } from '../shell/notes.tsx';

/** Where none is listed: the next step. */
export const NoProjects = ({ filtered }: { readonly filtered: boolean }) =>
  filtered ? (
    <EmptyNote title={t('projects.none_of')}>
      <p>
        <a href="#/">{t('projects.show_all')}</a>
      </p>
    </EmptyNote>
  ) : (
    <EmptyNote title={t('projects.none')}>
      <p>{t('projects.none_next')}</p>
      <p>
        <a class="button primary" href="#/new">
          {t('projects.new')}
        </a>
      </p>
    </EmptyNote>
  );
