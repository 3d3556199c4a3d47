-- Expands: what the scanner found in an upload. It was refused, and its bytes stay apart for 30 days so that staff can look into it.
ALTER TABLE objects ADD COLUMN malware text CHECK (length(malware) BETWEEN 1 AND 200);
