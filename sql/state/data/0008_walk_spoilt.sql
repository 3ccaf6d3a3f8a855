-- Records of a zone's history that told of no play: from which instant on walks read once more, and until when they do.

alter table walk add column spoilt_from text; -- null: there were none

alter table walk add column spoilt_until text;
