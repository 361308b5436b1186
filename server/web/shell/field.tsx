export interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly list?: string;
  readonly placeholder?: string;
}

/** A line of text with its label above. */
export const Field = ({ id, label, value, onChange, ...more }: FieldProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input
      id={id}
      type="text"
      autoComplete="off"
      spellcheck={false}
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
      {...more}
    />
  </div>
);

export interface TickProps {
  readonly label: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

/** A box to tick, with its label beside it. */
export const Tick = ({ label, on, onChange }: TickProps) => (
  <label class="tick">
    <input type="checkbox" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
    {label}
  </label>
);
