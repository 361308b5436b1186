/** The entry of events/: ledgers and streams, and the journal. */
export { EventLedgers, type EventLedgersOptions } from './event-ledgers.ts';
export { FileJournal } from './file-journal.ts';
