"""Sessions, mailboxes, outbox and ledger in Redis or Valkey."""
