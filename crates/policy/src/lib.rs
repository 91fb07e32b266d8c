//! What follows from findings: who is right, what to go on with, and what it means for the reports.
