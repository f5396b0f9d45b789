-- Dictionaries have words from now on. Those that are there stay, and are read; the
-- next commit that brings documents makes one with words.
UPDATE meta SET value=0 WHERE key='trained';
